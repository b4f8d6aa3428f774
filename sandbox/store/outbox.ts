import type { Attempt, Delivery } from '../model.ts'
import { type Row as DeliveryRow, deliveryOf } from './deliveries.ts'
import { CAN_BE_RESENT } from './resends/resendable.ts'
import { RESOLVE_ONE, RESOLVE_OTHERS } from './resends/resolved.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

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
