import type { Attempt, Delivery } from '../model.ts'
import { CAN_BE_RESENT } from './resends.ts'
import { command, query, records } from './rows.ts'
import { RESOLVE_ONE, RESOLVE_OTHERS } from './schema.ts'
import type { Database } from './sqlite.ts'

const { of: deliveryOf, insertion } = records<Delivery>({ flagged: 'flag', chaos: 'json' })
const ATTEMPTS = records<Attempt>({ requestHeaders: 'json', responseHeaders: 'json' })

/** The statements on deliveries and their attempts. */
export function deliveries(database: Database) {
  const get = query(database, 'SELECT * FROM deliveries WHERE id = ?', deliveryOf)
  const ofEvent = query(database, 'SELECT * FROM deliveries WHERE event_id = ? ORDER BY seq', deliveryOf)
  const attempts = query(
    database,
    'SELECT * FROM attempts WHERE delivery_id = ? ORDER BY number',
    ATTEMPTS.of,
  )
  const last = query<{ seq: number | null }>(database, 'SELECT max(seq) AS seq FROM deliveries')
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
    insert: insertion(database, 'deliveries') as (
      delivery: Omit<Delivery, 'state' | 'attempts' | 'flagged' | 'endedAt'>,
    ) => void,
    get: (id: string) => get.get(id),
    /** Oldest first. */
    ofEvent: (eventId: string) => ofEvent.all(eventId),
    last: () => last.get()?.seq ?? 0,
    /** The attempts that have ended, in order. */
    attempts: (deliveryId: string) => attempts.all(deliveryId),
    /** Cancels up to `limit` waiting deliveries to an endpoint, and returns their number. Interface 4.4. */
    cancelOfEndpoint: (endpointId: string, now: number, limit: number) => cancel(now, endpointId, limit),
    /** Pauses up to `limit` pending deliveries to an endpoint, and returns their number. */
    pauseOfEndpoint: (endpointId: string, limit: number) => pause(endpointId, limit),
    /** Makes up to `limit` paused deliveries to an endpoint due, oldest first, and returns their number. */
    resumeOfEndpoint: (endpointId: string, now: number, limit: number) => resume(now, endpointId, limit),
    /** The deleted endpoints that still have waiting deliveries. */
    endpointsToCancel: () => toCancel.all().map(({ id }) => id),
  }
}

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

export interface Settlement {
  readonly state: 'delivered' | 'failed' | 'cancelled' | 'pending'
  readonly nextAttemptAt?: number
  readonly flagged?: boolean
}

export type Outbox = ReturnType<typeof outbox>

/** The statements that move deliveries through the queue. The caller wraps the calls in a transaction. */
export function outbox(database: Database) {
  const due = query<Pick<Claimed, 'recipient' | 'secret' | 'failures'> & { sent: Uint8Array }>(
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
  const waiting = query<{ recipient: string; firstDueAt: number }>(
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
  const record = ATTEMPTS.insertion(database, 'attempts')
  const resolve = { delivered: command(database, RESOLVE_OTHERS), failed: command(database, RESOLVE_ONE) }
  const inFlight = query(database, "SELECT * FROM deliveries WHERE state = 'in_flight'", deliveryOf)
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
    /** Every recipient with pending deliveries, the origin of their URLs, and when the first of them is due. */
    waiting: () => waiting.all(),
    /** When the first pending delivery to a recipient is due; undefined if it has none. */
    firstDueAt: (recipient: string) => firstDueAt.get(recipient)?.at ?? undefined,
    /** Up to `limit` due deliveries to a recipient, earliest due first. */
    due: (recipient: string, now: number, limit: number): Claimed[] =>
      due.all(recipient, now, limit).map(({ sent, secret, failures, ...row }) => ({
        delivery: deliveryOf(row),
        recipient: row.recipient,
        body: sent,
        secret,
        failures,
      })),
    /** Marks a due delivery as in flight and counts the attempt. */
    take: ({ delivery, ...more }: Claimed): Claimed => {
      take(delivery.id)
      return { ...more, delivery: { ...delivery, state: 'in_flight', attempts: delivery.attempts + 1 } }
    },
    /** Ends the attempt of a delivery in flight, and records it. A delivered resend resolves the failed deliveries before it. */
    settle: (attempt: Attempt, { state, nextAttemptAt, flagged = false }: Settlement, now: number): void => {
      const { deliveryId } = attempt
      const ended = state === 'pending' ? null : now
      if (settle(state, flagged ? 1 : 0, nextAttemptAt ?? null, ended, deliveryId) !== 1) return
      record(attempt)
      if (state === 'delivered' || state === 'failed') resolve[state](deliveryId)
    },
    /** Deliveries that were in flight when the process died. */
    inFlight: () => inFlight.all(),
    /** Makes a pending delivery due now. @returns false if it is not pending */
    makeDue: (id: string, now: number) => makeDue(now, id) === 1,
    /** Pauses a pending delivery whose recipient is away. */
    pause: (id: string) => void pause(id),
    /** Cancels a pending or paused delivery. @returns false if it is neither */
    cancel: (id: string, now: number) => cancel(now, id) === 1,
    /** Queues a failed delivery again, as a new one with the same bytes. @returns false if that is not possible, or done already */
    resend: (id: string, as: { id: string; now: number }) => resend(as.id, as.now, as.now, id) === 1,
  }
}
