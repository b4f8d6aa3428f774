import type { Endpoint, EndpointMode } from '../model.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

interface Row {
  id: string
  organization_id: string
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
  ofOrganization: (organizationId: string) => Endpoint[]
  /** Changes made in the dashboard; the interface has no call for them. */
  update: (id: string, change: Pick<Endpoint, 'isEnabled' | 'description'>) => void
  /** Replaces the settings. */
  edit: (id: string, settings: Pick<Endpoint, 'url' | 'events' | 'mode' | 'description'>) => void
  /** Also destroys the secret. Interface 4.4. @returns false if the organization has no such endpoint */
  delete: (organizationId: string, id: string, now: number) => boolean
}

/** Prepares the statements on endpoints. */
export function endpoints(database: Database): Endpoints {
  const insert = command(
    database,
    `INSERT INTO endpoints (id, organization_id, url, secret, events, mode, description, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const get = query<Row>(database, 'SELECT * FROM endpoints WHERE id = ?')
  const list = query<Row>(
    database,
    'SELECT * FROM endpoints WHERE organization_id = ? AND deleted_at IS NULL ORDER BY seq',
  )
  const update = command(
    database,
    'UPDATE endpoints SET is_enabled = ?, description = ? WHERE id = ? AND deleted_at IS NULL',
  )
  const edit = command(
    database,
    'UPDATE endpoints SET url = ?, events = ?, mode = ?, description = ? WHERE id = ? AND deleted_at IS NULL',
  )
  const remove = command(
    database,
    `UPDATE endpoints SET secret = NULL, is_enabled = 0, deleted_at = ?
     WHERE id = ? AND organization_id = ? AND deleted_at IS NULL`,
  )
  return {
    insert: ({ id, organizationId, url, secret, events, mode, description, createdAt }) =>
      void insert(id, organizationId, url, secret, events.join(' '), mode, description, createdAt),
    get: (id) => {
      const row = get.get(id)
      return row && endpointOf(row)
    },
    ofOrganization: (organizationId) => list.all(organizationId).map(endpointOf),
    update: (id, { isEnabled, description }) => void update(isEnabled ? 1 : 0, description, id),
    edit: (id, { url, events, mode, description }) => void edit(url, events.join(' '), mode, description, id),
    delete: (organizationId, id, now) => remove(now, id, organizationId) === 1,
  }
}

const endpointOf = (row: Row): Endpoint => ({
  id: row.id,
  organizationId: row.organization_id,
  url: row.url,
  secret: row.secret,
  events: row.events.split(' ') as Endpoint['events'],
  mode: row.mode,
  isEnabled: row.is_enabled === 1,
  description: row.description,
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
})
