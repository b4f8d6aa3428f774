import type { Attempt, Delivery } from '../model.ts'
import { type Row as DeliveryRow, deliveryOf } from './deliveries.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

/** A delivery that is due, with what is needed to send it. */
export interface Claimed {
  readonly delivery: Delivery
  /** The origin of its URL. */
  readonly recipient: string
  /** The bytes to send: the delivery's own, or else the event's. */
  readonly body: Uint8Array
  /** The recipient's signing secret; null when its endpoint was deleted and the secret destroyed. */
  readonly secret: string | null
  /** How many attempts have failed. Those that we broke off ourselves do not count. */
  readonly failures: number
}

/** Where deliveries wait to go. */
interface Waiting {
  /** The origin of their URLs. */
  readonly recipient: string
  readonly firstDueAt: number
}

/** What a delivery comes to after an attempt. */
export interface Settlement {
  readonly state: 'delivered' | 'failed' | 'cancelled' | 'pending'
  /** When to try again; only for `pending`. */
  readonly nextAttemptAt?: number
  readonly flagged?: boolean
}

/** The moves of deliveries through the queue. None of them is a transaction of its own. */
export interface Outbox {
  /** Every recipient that deliveries wait for, and when the first of these is due. */
  waiting(): Waiting[]
  /** Up to `limit` deliveries to a recipient that are due, the longest due first. */
  due(recipient: string, now: number, limit: number): Claimed[]
  /** Makes one that is due in flight, one attempt further. */
  take(claimed: Claimed): Claimed
  /** Ends an attempt at a delivery in flight, and keeps the record of it. */
  settle(attempt: Attempt, settlement: Settlement, now: number): void
  /** Deliveries that were in flight when the process died. */
  inFlight(): Delivery[]
  /** Makes one that waits due at once. @returns false when it does not wait */
  hurry(id: string, now: number): boolean
  /** Cancels one that waits. @returns false when it does not wait */
  cancel(id: string, now: number): boolean
  /** Of an organisation, or of all when it is undefined: the failed ones that nothing newer was made for. */
  failed(organisationId: string | undefined): Delivery[]
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
     JOIN organisations AS o ON o.id = due.organisation_id
     LEFT JOIN endpoints AS p ON p.id = due.endpoint_id
     ORDER BY due.next_attempt_at, due.seq`,
  )
  const take = command(
    database,
    "UPDATE deliveries SET state = 'in_flight', attempts = attempts + 1 WHERE id = ? AND state = 'pending'",
  )
  // From one recipient to the next by the index: however many deliveries wait for one, it is looked at once.
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
  const inFlight = query<DeliveryRow>(database, "SELECT * FROM deliveries WHERE state = 'in_flight'")
  const hurry = command(
    database,
    "UPDATE deliveries SET next_attempt_at = ? WHERE id = ? AND state = 'pending'",
  )
  const cancel = command(
    database,
    "UPDATE deliveries SET state = 'cancelled', ended_at = ? WHERE id = ? AND state = 'pending'",
  )
  const failed = query<DeliveryRow>(
    database,
    `SELECT * FROM deliveries AS d WHERE state = 'failed' AND (?1 IS NULL OR organisation_id = ?1)
       AND NOT EXISTS (SELECT 1 FROM deliveries AS later WHERE later.event_id = d.event_id
         AND later.seq > d.seq AND later.url = d.url AND later.endpoint_id IS d.endpoint_id)
     ORDER BY seq`,
  )

  return {
    waiting: () => waiting.all(),
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
      const came = responseHeaders === null ? null : JSON.stringify(responseHeaders)
      record(deliveryId, number, startedAt, durationMs, status, error, detail, sent, came, responseBody)
    },
    inFlight: () => inFlight.all().map(deliveryOf),
    hurry: (id, now) => hurry(now, id) === 1,
    cancel: (id, now) => cancel(now, id) === 1,
    failed: (organisationId) => failed.all(organisationId ?? null).map(deliveryOf),
  }
}
