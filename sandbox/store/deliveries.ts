import type { Attempt, Delivery } from '../model.ts'
import { CAN_BE_RESENT } from './resends.ts'
import { statements, tableOf } from './rows.ts'
import { RESOLVE_ONE, RESOLVE_OTHERS } from './schema.ts'
import type { Database } from './sqlite.ts'

const deliveryTable = (database: Database) =>
  tableOf<Delivery, 'state' | 'attempts' | 'flagged' | 'faultyAttempts' | 'endedAt'>(database, 'deliveries', {
    flagged: 'flag',
    chaos: 'json',
  })

const attemptTable = (database: Database) =>
  tableOf<Attempt>(database, 'attempts', { requestHeaders: 'json', responseHeaders: 'json' })

/** The statements on deliveries and their attempts. */
export function deliveries(database: Database) {
  const table = deliveryTable(database)
  const attempts = attemptTable(database)
  const { all } = statements(database)
  return {
    insert: table.insert,
    get: (id: string) => table.one('WHERE id = ?', id),
    /** Oldest first. */
    ofEvent: (eventId: string) => table.all('WHERE event_id = ? ORDER BY seq', eventId),
    last: () => all<{ seq: number | null }>('SELECT max(seq) AS seq FROM deliveries')[0]?.seq ?? 0,
    /** The attempts that have ended, in order. */
    attempts: (deliveryId: string) => attempts.all('WHERE delivery_id = ? ORDER BY number', deliveryId),
    /** Cancels the waiting deliveries to an endpoint. Interface 4.4. */
    cancelOfEndpoint: (endpointId: string, endedAt: number) =>
      void table.update(
        { state: 'cancelled', endedAt },
        "endpoint_id = ? AND state IN ('pending', 'paused')",
        endpointId,
      ),
    /** Pauses the pending deliveries to an endpoint. */
    pauseOfEndpoint: (endpointId: string) =>
      void table.update({ state: 'paused' }, "endpoint_id = ? AND state = 'pending'", endpointId),
    /** Makes the paused deliveries to an endpoint due. */
    resumeOfEndpoint: (endpointId: string, nextAttemptAt: number) =>
      void table.update(
        { state: 'pending', nextAttemptAt },
        "endpoint_id = ? AND state = 'paused'",
        endpointId,
      ),
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

const DUE = `SELECT due.*, coalesce(due.body, e.body) AS sent,
    CASE WHEN due.endpoint_id IS NULL THEN o.webhook_url_secret ELSE p.secret END AS secret,
    (SELECT count(*) FROM attempts AS a WHERE a.delivery_id = due.id AND a.error IS NOT 'aborted') AS failures
  FROM (SELECT * FROM deliveries WHERE state = 'pending' AND recipient = ? AND next_attempt_at <= ?
        ORDER BY next_attempt_at, seq LIMIT ?) AS due
  JOIN events AS e ON e.id = due.event_id
  JOIN organizations AS o ON o.id = due.organization_id
  LEFT JOIN endpoints AS p ON p.id = due.endpoint_id
  ORDER BY due.next_attempt_at, due.seq`

/** Jumps from one recipient to the next in the index: each is read once, however many deliveries it has. */
const WAITING = `WITH RECURSIVE waiting (recipient) AS (
    SELECT min(recipient) FROM deliveries WHERE state = 'pending'
    UNION ALL
    SELECT (SELECT min(recipient) FROM deliveries WHERE state = 'pending' AND recipient > waiting.recipient)
    FROM waiting WHERE recipient IS NOT NULL
  )
  SELECT recipient, (SELECT min(next_attempt_at) FROM deliveries AS d
    WHERE d.state = 'pending' AND d.recipient = waiting.recipient) AS firstDueAt
  FROM waiting WHERE recipient IS NOT NULL`

/** The statements that move deliveries through the queue. The caller wraps the calls in a transaction. */
export function outbox(database: Database) {
  const table = deliveryTable(database)
  const attempts = attemptTable(database)
  const { all, run } = statements(database)
  const isPending = "id = ? AND state = 'pending'"
  return {
    /** Every recipient with pending deliveries, the origin of their URLs, and when the first of them is due. */
    waiting: () => all<{ recipient: string; firstDueAt: number }>(WAITING),
    /** When the first pending delivery to a recipient is due; undefined if it has none. */
    firstDueAt: (recipient: string) =>
      all<{ at: number | null }>(
        "SELECT min(next_attempt_at) AS at FROM deliveries WHERE state = 'pending' AND recipient = ?",
        recipient,
      )[0]?.at ?? undefined,
    /** Up to `limit` due deliveries to a recipient, earliest due first. */
    due: (recipient: string, now: number, limit: number): Claimed[] =>
      all<Pick<Claimed, 'secret' | 'failures'> & { sent: Uint8Array }>(DUE, recipient, now, limit).map(
        ({ sent, secret, failures, ...row }) => ({
          delivery: table.read(row),
          recipient,
          body: sent,
          secret,
          failures,
        }),
      ),
    /** Marks a due delivery as in flight and counts the attempt. */
    take: ({ delivery, ...more }: Claimed): Claimed => {
      const taken = { state: 'in_flight', attempts: delivery.attempts + 1 } as const
      table.update(taken, isPending, delivery.id)
      return { ...more, delivery: { ...delivery, ...taken } }
    },
    /** Ends the attempt of a delivery in flight, and records it. A delivered resend resolves the failed deliveries before it. */
    settle: (attempt: Attempt, { flagged = false, ...settlement }: Settlement, now: number): void => {
      const { deliveryId: id } = attempt
      const { state } = settlement
      const changes = { ...settlement, flagged, endedAt: state === 'pending' ? null : now }
      if (table.update(changes, "id = ? AND state = 'in_flight'", id) !== 1) return
      attempts.insert(attempt)
      if (state === 'delivered') run(RESOLVE_OTHERS, id)
      if (state === 'failed') run(RESOLVE_ONE, id)
    },
    /** Deliveries that were in flight when the process died. */
    inFlight: () => table.all("WHERE state = 'in_flight'"),
    /** Makes a pending delivery due now. @returns false if it is not pending */
    makeDue: (id: string, nextAttemptAt: number) => table.update({ nextAttemptAt }, isPending, id) === 1,
    /** Pauses a pending delivery whose recipient is away. */
    pause: (id: string) => void table.update({ state: 'paused' }, isPending, id),
    /** Cancels a pending or paused delivery. @returns false if it is neither */
    cancel: (id: string, endedAt: number) =>
      table.update({ state: 'cancelled', endedAt }, "id = ? AND state IN ('pending', 'paused')", id) === 1,
    /** Queues a failed delivery again, as a new one with the same bytes. @returns false if that is not possible, or done already */
    resend: (id: string, as: { id: string; now: number }) =>
      run(
        `INSERT INTO deliveries (id, event_id, organization_id, endpoint_id, url, cause, body, next_attempt_at, created_at)
         SELECT ?, d.event_id, d.organization_id, d.endpoint_id, d.url, 'redelivery', d.body, ?, ?
         FROM deliveries AS d WHERE d.id = ? AND ${CAN_BE_RESENT}`,
        as.id,
        as.now,
        as.now,
        id,
      ) === 1,
  }
}
