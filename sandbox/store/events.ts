import type { Event, EventName, Mode } from '../model.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

interface Row {
  id: string
  payment_id: string
  organisation_id: string
  name: EventName
  mode: Mode
  body: Uint8Array
  created_at: number
}

/** Events with their exact bytes. */
export interface Events {
  insert: (event: Event) => void
  get: (id: string) => Event | undefined
  /** Oldest first. */
  ofPayment: (paymentId: string) => Event[]
  /** Newest first. */
  list: (organisationId: string, limit: number) => Event[]
}

/** Prepares the statements on events. */
export function events(database: Database): Events {
  const insert = command(
    database,
    `INSERT INTO events (id, payment_id, organisation_id, name, mode, body, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const get = query<Row>(database, 'SELECT * FROM events WHERE id = ?')
  const ofPayment = query<Row>(database, 'SELECT * FROM events WHERE payment_id = ? ORDER BY seq')
  const list = query<Row>(
    database,
    'SELECT * FROM events WHERE organisation_id = ? ORDER BY seq DESC LIMIT ?',
  )
  return {
    insert: ({ id, paymentId, organisationId, name, mode, body, createdAt }) =>
      void insert(id, paymentId, organisationId, name, mode, body, createdAt),
    get: (id) => {
      const row = get.get(id)
      return row && eventOf(row)
    },
    ofPayment: (paymentId) => ofPayment.all(paymentId).map(eventOf),
    list: (organisationId, limit) => list.all(organisationId, limit).map(eventOf),
  }
}

const eventOf = (row: Row): Event => ({
  id: row.id,
  paymentId: row.payment_id,
  organisationId: row.organisation_id,
  name: row.name,
  mode: row.mode,
  body: row.body,
  createdAt: row.created_at,
})
