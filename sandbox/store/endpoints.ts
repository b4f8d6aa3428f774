import type { Endpoint, EndpointMode } from '../model.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

interface Row {
  id: string
  organisation_id: string
  url: string
  secret: string | null
  events: string
  mode: EndpointMode
  is_enabled: number
  description: string | null
  created_at: number
  deleted_at: number | null
}

/** Registered endpoints. Interface 2.1. */
export interface Endpoints {
  insert: (endpoint: Omit<Endpoint, 'isEnabled' | 'deletedAt'>) => void
  /** Also finds deleted endpoints, which no longer have a secret. */
  get: (id: string) => Endpoint | undefined
  /** Endpoints that are not deleted, oldest first. */
  ofOrganisation: (organisationId: string) => Endpoint[]
  /** Changes made in the dashboard; the interface has no call for them. */
  update: (id: string, change: Pick<Endpoint, 'isEnabled' | 'description'>) => void
  /** Also destroys the secret. Interface 4.4. @returns false if the organisation has no such endpoint */
  delete: (organisationId: string, id: string, now: number) => boolean
}

/** Prepares the statements on endpoints. */
export function endpoints(database: Database): Endpoints {
  const insert = command(
    database,
    `INSERT INTO endpoints (id, organisation_id, url, secret, events, mode, description, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const get = query<Row>(database, 'SELECT * FROM endpoints WHERE id = ?')
  const list = query<Row>(
    database,
    'SELECT * FROM endpoints WHERE organisation_id = ? AND deleted_at IS NULL ORDER BY seq',
  )
  const update = command(
    database,
    'UPDATE endpoints SET is_enabled = ?, description = ? WHERE id = ? AND deleted_at IS NULL',
  )
  const remove = command(
    database,
    `UPDATE endpoints SET secret = NULL, is_enabled = 0, deleted_at = ?
     WHERE id = ? AND organisation_id = ? AND deleted_at IS NULL`,
  )
  return {
    insert: ({ id, organisationId, url, secret, events, mode, description, createdAt }) =>
      void insert(id, organisationId, url, secret, events.join(' '), mode, description, createdAt),
    get: (id) => {
      const row = get.get(id)
      return row && endpointOf(row)
    },
    ofOrganisation: (organisationId) => list.all(organisationId).map(endpointOf),
    update: (id, { isEnabled, description }) => void update(isEnabled ? 1 : 0, description, id),
    delete: (organisationId, id, now) => remove(now, id, organisationId) === 1,
  }
}

const endpointOf = (row: Row): Endpoint => ({
  id: row.id,
  organisationId: row.organisation_id,
  url: row.url,
  secret: row.secret,
  events: row.events.split(' ') as Endpoint['events'],
  mode: row.mode,
  isEnabled: row.is_enabled === 1,
  description: row.description,
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
})
