import type { Attempt, AttemptError, Delivery } from '../model.ts'
import { CAN_BE_RESENT } from './resends.ts'
import { command, query } from './rows.ts'
import { RESOLVE_ONE, RESOLVE_OTHERS } from './schema.ts'
import type { Database } from './sqlite.ts'

/** The fields of a new delivery. */
type NewDelivery = Pick<
  Delivery,
  'id' | 'eventId' | 'organizationId' | 'endpointId' | 'url' | 'cause' | 'body' | 'chaos' | 'createdAt'
> & { nextAttemptAt: number }

export interface DeliveryRow {
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
      const row = get.get(id) as DeliveryRow | undefined
      return row && deliveryOf(row)
    },
    ofEvent: (eventId) => (ofEvent.all(eventId) as DeliveryRow[]).map(deliveryOf),
    cancelOfEndpoint: (endpointId, now, limit) => cancel(now, endpointId, limit),
    pauseOfEndpoint: (endpointId, limit) => pause(endpointId, limit),
    resumeOfEndpoint: (endpointId, now, limit) => resume(now, endpointId, limit),
    endpointsToCancel: () => toCancel.all().map(({ id }) => id),
  }
}

/** Converts a row of the table `deliveries`. */
export function deliveryOf(row: DeliveryRow): Delivery {
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

interface AttemptRow {
  delivery_id: string
  number: number
  started_at: number
  duration_ms: number
  status: number | null
  error: AttemptError | null
  detail: string | null
  request_headers: string
  response_headers: string | null
  response_body: Uint8Array | null
}

/** Recorded attempts; the queue writes them (outbox.ts). */
export interface Attempts {
  /** In order of their numbers. */
  ofDelivery(deliveryId: string): Attempt[]
}

/** Prepares the statements on attempts. */
export function attempts(database: Database): Attempts {
  const ofDelivery = query<AttemptRow>(
    database,
    'SELECT * FROM attempts WHERE delivery_id = ? ORDER BY number',
  )
  return { ofDelivery: (deliveryId) => ofDelivery.all(deliveryId).map(attemptOf) }
}

const attemptOf = (row: AttemptRow): Attempt => ({
  deliveryId: row.delivery_id,
  number: row.number,
  startedAt: row.started_at,
  durationMs: row.duration_ms,
  status: row.status,
  error: row.error,
  detail: row.detail,
  requestHeaders: JSON.parse(row.request_headers),
  responseHeaders: row.response_headers === null ? null : JSON.parse(row.response_headers),
  responseBody: row.response_body,
})

/** A delivery that is due, with everything needed to send it. */
export interface Claimed {
  readonly delivery: Delivery
  /** The origin of its URL. */
  readonly recipient: string
  /** The bytes to send: the delivery's own body if it has one, otherwise the event's. */
  readonly body: Uint8Array
  /** The recipient's signing secret; null if the endpoint was deleted and its secret destroyed. */
  readonly secret: string | null
  /** How many attempts failed. Attempts that the sandbox aborted do not count. */
  readonly failures: number
}

/** A recipient with pending deliveries. */
interface Waiting {
  /** The origin of its URLs. */
  readonly recipient: string
  readonly firstDueAt: number
}

/** The state of a delivery after an attempt. */
export interface Settlement {
  readonly state: 'delivered' | 'failed' | 'cancelled' | 'pending'
  /** When to try again; only for `pending`. */
  readonly nextAttemptAt?: number
  readonly flagged?: boolean
}

/** Moves deliveries through the queue. The caller wraps the calls in a transaction. */
export interface Outbox {
  /** Every recipient with pending deliveries, and when the first of them is due. */
  waiting(): Waiting[]
  /** When the first pending delivery to a recipient is due; undefined if it has none. */
  firstDueAt(recipient: string): number | undefined
  /** Up to `limit` due deliveries to a recipient, earliest due first. */
  due(recipient: string, now: number, limit: number): Claimed[]
  /** Marks a due delivery as in flight and counts the attempt. */
  take(claimed: Claimed): Claimed
  /** Ends the attempt of a delivery in flight, and records it. A delivered resend resolves the failed deliveries before it. */
  settle(attempt: Attempt, settlement: Settlement, now: number): void
  /** Deliveries that were in flight when the process died. */
  inFlight(): Delivery[]
  /** Makes a pending delivery due now. @returns false if it is not pending */
  makeDue(id: string, now: number): boolean
  /** Pauses a pending delivery whose recipient is away. */
  pause(id: string): void
  /** Cancels a pending or paused delivery. @returns false if it is neither */
  cancel(id: string, now: number): boolean
  /**
   * Queues a failed delivery again, as a new one with the same bytes.
   * @returns false if that is not possible, or has been done already
   */
  resend(id: string, as: { id: string; now: number }): boolean
}

/** Prepares the statements of the queue. */
export function outbox(database: Database): Outbox {
  const due = query<DeliveryRow & { sent: Uint8Array; secret: string | null; failures: number }>(
    database,
    `SELECT due.*, coalesce(due.body, e.body) AS sent,
       CASE WHEN due.endpoint_id IS NULL THEN o.webhook_url_secret ELSE p.secret END AS secret,
       (SELECT count(*) FROM attempts AS a WHERE a.delivery_id = due.id AND a.error IS NOT 'aborted') AS failures
     FROM (SELECT * FROM deliveries WHERE state = 'pending' AND recipient = ? AND next_attempt_at <= ?
           ORDER BY next_attempt_at, seq LIMIT ?) AS due
     JOIN events AS e ON e.id = due.event_id
     JOIN organizations AS o ON o.id = due.organization_id
     LEFT JOIN endpoints AS p ON p.id = due.endpoint_id
     ORDER BY due.next_attempt_at, due.seq`,
  )
  const take = command(
    database,
    "UPDATE deliveries SET state = 'in_flight', attempts = attempts + 1 WHERE id = ? AND state = 'pending'",
  )
  // Jumps from one recipient to the next in the index: each is read once, however many deliveries it has.
  const waiting = query<Waiting>(
    database,
    `WITH RECURSIVE waiting (recipient) AS (
       SELECT min(recipient) FROM deliveries WHERE state = 'pending'
       UNION ALL
       SELECT (SELECT min(recipient) FROM deliveries WHERE state = 'pending' AND recipient > waiting.recipient)
       FROM waiting WHERE recipient IS NOT NULL
     )
     SELECT recipient, (SELECT min(next_attempt_at) FROM deliveries AS d
       WHERE d.state = 'pending' AND d.recipient = waiting.recipient) AS firstDueAt
     FROM waiting WHERE recipient IS NOT NULL`,
  )
  const firstDueAt = query<{ at: number | null }>(
    database,
    "SELECT min(next_attempt_at) AS at FROM deliveries WHERE state = 'pending' AND recipient = ?",
  )
  const settle = command(
    database,
    `UPDATE deliveries SET state = ?, flagged = ?, next_attempt_at = coalesce(?, next_attempt_at), ended_at = ?
     WHERE id = ? AND state = 'in_flight'`,
  )
  const record = command(
    database,
    `INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status, error, detail,
       request_headers, response_headers, response_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const resolve = {
    delivered: command(database, RESOLVE_OTHERS),
    failed: command(database, RESOLVE_ONE),
  }
  const inFlight = query<DeliveryRow>(database, "SELECT * FROM deliveries WHERE state = 'in_flight'")
  const makeDue = command(
    database,
    "UPDATE deliveries SET next_attempt_at = ? WHERE id = ? AND state = 'pending'",
  )
  const cancel = command(
    database,
    "UPDATE deliveries SET state = 'cancelled', ended_at = ? WHERE id = ? AND state IN ('pending', 'paused')",
  )
  const pause = command(database, "UPDATE deliveries SET state = 'paused' WHERE id = ? AND state = 'pending'")
  const resend = command(
    database,
    `INSERT INTO deliveries (id, event_id, organization_id, endpoint_id, url, cause, body, next_attempt_at, created_at)
     SELECT ?, d.event_id, d.organization_id, d.endpoint_id, d.url, 'redelivery', d.body, ?, ?
     FROM deliveries AS d WHERE d.id = ? AND ${CAN_BE_RESENT}`,
  )

  return {
    waiting: () => waiting.all(),
    firstDueAt: (recipient) => firstDueAt.get(recipient)?.at ?? undefined,
    due: (recipient, now, limit) =>
      due.all(recipient, now, limit).map(({ sent, secret, failures, ...row }) => ({
        delivery: deliveryOf(row),
        recipient: row.recipient,
        body: sent,
        secret,
        failures,
      })),
    take: ({ delivery, ...more }) => {
      take(delivery.id)
      return { ...more, delivery: { ...delivery, state: 'in_flight', attempts: delivery.attempts + 1 } }
    },
    settle: (attempt, { state, nextAttemptAt = null, flagged = false }, now) => {
      const { deliveryId, number, startedAt, durationMs, status, error, detail } = attempt
      const { requestHeaders, responseHeaders, responseBody } = attempt
      const ended = state === 'pending' ? null : now
      if (settle(state, flagged ? 1 : 0, nextAttemptAt, ended, deliveryId) !== 1) return
      const sent = JSON.stringify(requestHeaders)
      const received = responseHeaders === null ? null : JSON.stringify(responseHeaders)
      record(deliveryId, number, startedAt, durationMs, status, error, detail, sent, received, responseBody)
      if (state === 'delivered' || state === 'failed') resolve[state](deliveryId)
    },
    inFlight: () => inFlight.all().map(deliveryOf),
    makeDue: (id, now) => makeDue(now, id) === 1,
    pause: (id) => void pause(id),
    cancel: (id, now) => cancel(now, id) === 1,
    resend: (id, as) => resend(as.id, as.now, as.now, id) === 1,
  }
}
