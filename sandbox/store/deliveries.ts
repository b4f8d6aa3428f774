import type { Delivery } from '../model.ts'
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
  /** Cancels waiting deliveries to an endpoint; the queue aborts those in flight. Interface 4.4. */
  cancelOfEndpoint(endpointId: string, now: number): void
  /** Pauses pending deliveries to an endpoint. */
  pauseOfEndpoint(endpointId: string): void
  /** Makes paused deliveries to an endpoint due. */
  resumeOfEndpoint(endpointId: string, now: number): void
}

/** Prepares the statements on deliveries. */
export function deliveries(database: Database): Deliveries {
  const insert = database.prepare(`
    INSERT INTO deliveries
      (id, event_id, organization_id, endpoint_id, url, cause, body, next_attempt_at, chaos, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const get = database.prepare('SELECT * FROM deliveries WHERE id = ?')
  const ofEvent = database.prepare('SELECT * FROM deliveries WHERE event_id = ? ORDER BY seq')
  const cancel = database.prepare(
    `UPDATE deliveries SET state = 'cancelled', ended_at = ?
     WHERE endpoint_id = ? AND state IN ('pending', 'paused')`,
  )
  const pause = database.prepare(
    "UPDATE deliveries SET state = 'paused' WHERE endpoint_id = ? AND state = 'pending'",
  )
  const resume = database.prepare(
    "UPDATE deliveries SET state = 'pending', next_attempt_at = ? WHERE endpoint_id = ? AND state = 'paused'",
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
    cancelOfEndpoint: (endpointId, now) => void cancel.run(now, endpointId),
    pauseOfEndpoint: (endpointId) => void pause.run(endpointId),
    resumeOfEndpoint: (endpointId, now) => void resume.run(now, endpointId),
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
