import type { Delivery } from '../model.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

/** The fields of a new delivery. */
type NewDelivery = Pick<
  Delivery,
  'id' | 'eventId' | 'organizationId' | 'endpointId' | 'url' | 'cause' | 'body' | 'chaos' | 'createdAt'
> & { nextAttemptAt: number }

export interface Row {
  id: string
  event_id: string
  organization_id: string
  endpoint_id: string | null
  url: string
  /** The origin of the URL. */
  recipient: string
  cause: Delivery['cause']
  body: Uint8Array | null
  state: Delivery['state']
  attempts: number
  next_attempt_at: number
  flagged: number
  chaos: string | null
  created_at: number
  ended_at: number | null
}

/** The queue of deliveries. */
export interface Deliveries {
  insert(delivery: NewDelivery): void
  get(id: string): Delivery | undefined
  /** Oldest first. */
  ofEvent(eventId: string): Delivery[]
  /** Cancels up to `limit` waiting deliveries to an endpoint, and returns their number. Interface 4.4. */
  cancelOfEndpoint(endpointId: string, now: number, limit: number): number
  /** Pauses up to `limit` pending deliveries to an endpoint, and returns their number. */
  pauseOfEndpoint(endpointId: string, limit: number): number
  /** Makes up to `limit` paused deliveries to an endpoint due, oldest first, and returns their number. */
  resumeOfEndpoint(endpointId: string, now: number, limit: number): number
  /** The deleted endpoints that still have waiting deliveries. */
  endpointsToCancel(): string[]
}

/** Prepares the statements on deliveries. */
export function deliveries(database: Database): Deliveries {
  const insert = database.prepare(`
    INSERT INTO deliveries
      (id, event_id, organization_id, endpoint_id, url, cause, body, next_attempt_at, chaos, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const get = database.prepare('SELECT * FROM deliveries WHERE id = ?')
  const ofEvent = database.prepare('SELECT * FROM deliveries WHERE event_id = ? ORDER BY seq')
  const some = (states: string) =>
    `seq IN (SELECT seq FROM deliveries WHERE endpoint_id = ? AND state IN (${states}) ORDER BY state, seq LIMIT ?)`
  const cancel = command(
    database,
    `UPDATE deliveries SET state = 'cancelled', ended_at = ? WHERE ${some("'pending', 'paused'")}`,
  )
  const pause = command(database, `UPDATE deliveries SET state = 'paused' WHERE ${some("'pending'")}`)
  const resume = command(
    database,
    `UPDATE deliveries SET state = 'pending', next_attempt_at = ? WHERE ${some("'paused'")}`,
  )
  const toCancel = query<{ id: string }>(
    database,
    `SELECT id FROM endpoints WHERE deleted_at IS NOT NULL AND EXISTS (
       SELECT 1 FROM deliveries WHERE endpoint_id = endpoints.id AND state IN ('pending', 'paused'))`,
  )
  return {
    insert: (delivery) => {
      const { id, eventId, organizationId, endpointId, url, cause, body, nextAttemptAt, chaos, createdAt } =
        delivery
      const faults = chaos === null ? null : JSON.stringify(chaos)
      insert.run(id, eventId, organizationId, endpointId, url, cause, body, nextAttemptAt, faults, createdAt)
    },
    get: (id) => {
      const row = get.get(id) as Row | undefined
      return row && deliveryOf(row)
    },
    ofEvent: (eventId) => (ofEvent.all(eventId) as Row[]).map(deliveryOf),
    cancelOfEndpoint: (endpointId, now, limit) => cancel(now, endpointId, limit),
    pauseOfEndpoint: (endpointId, limit) => pause(endpointId, limit),
    resumeOfEndpoint: (endpointId, now, limit) => resume(now, endpointId, limit),
    endpointsToCancel: () => toCancel.all().map(({ id }) => id),
  }
}

/** Converts a row of the table `deliveries`. */
export function deliveryOf(row: Row): Delivery {
  return {
    id: row.id,
    eventId: row.event_id,
    organizationId: row.organization_id,
    endpointId: row.endpoint_id,
    url: row.url,
    cause: row.cause,
    body: row.body,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    flagged: row.flagged === 1,
    chaos: row.chaos === null ? null : JSON.parse(row.chaos),
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}
