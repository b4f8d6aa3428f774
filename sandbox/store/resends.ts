import type { Delivery } from '../model.ts'
import { conditionsOfOne, type EventFilter, HAS_FAILED } from './events.ts'
import type { DeliveryCounts } from './health.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

export interface Resend {
  readonly organizationId: string
  /** The number of the last delivery before those that it creates. */
  readonly after: number
  /** How many it resends. Until it is done, some of them may turn out to be resent already. */
  readonly total: number
  readonly isDone: boolean
}

export interface ResendBatch {
  readonly deliveries: readonly Delivery['id'][]
  /** Whether they only wait for their next attempt, which is to be made now. */
  readonly isRetry: boolean
}

/** The statements on what is resent together, stored so that a killed sandbox goes on at its next start. */
export function resends(database: Database) {
  const insert = query<{ id: number }>(
    database,
    `INSERT INTO resends (organization_id, after, total, queued, is_listed) VALUES (?, ?, ?, ?, ?) RETURNING id`,
  )
  const add = command(
    database,
    'INSERT INTO resend_batches (resend_id, is_retry, deliveries) VALUES (?, ?, ?)',
  )
  const listed = command(database, 'UPDATE resends SET is_listed = 1 WHERE id = ?')
  const next = query<{ number: number; resend_id: number; is_retry: number; deliveries: string }>(
    database,
    `SELECT * FROM resend_batches WHERE resend_id =
       (SELECT id FROM resends WHERE is_listed = 1
          AND EXISTS (SELECT 1 FROM resend_batches WHERE resend_id = resends.id) ORDER BY id LIMIT 1)
     ORDER BY number LIMIT 1`,
  )
  const remove = command(database, 'DELETE FROM resend_batches WHERE number = ?')
  // The resends before it created more deliveries while it waited.
  const start = command(database, 'UPDATE resends SET after = ? WHERE id = ? AND queued = 0')
  const count = command(database, 'UPDATE resends SET queued = queued + ? WHERE id = ?')
  const get = query<{ organization_id: string; after: number; total: number; queued: number; open: number }>(
    database,
    `SELECT *, EXISTS (SELECT 1 FROM resend_batches WHERE resend_id = resends.id) AS open
     FROM resends WHERE id = ?`,
  )

  return {
    /**
     * Stores a resend.
     * @param resend queued: how many new deliveries it has created; isListed: whether it has no batches
     * @returns its id
     */
    insert: (resend: Omit<Resend, 'isDone'> & { queued: number; isListed: boolean }): number => {
      const { organizationId, after, total, queued, isListed } = resend
      return insert.get(organizationId, after, total, queued, isListed ? 1 : 0)?.id ?? 0
    },
    /** Adds a batch to a resend that is not listed yet. */
    add: (resendId: number, { deliveries, isRetry }: ResendBatch) =>
      void add(resendId, isRetry ? 1 : 0, deliveries.join(' ')),
    /** Lets the queue have the batches of a resend. */
    listed: (resendId: number) => void listed(resendId),
    /** The first batch of all. @param last the number of the last delivery */
    nextBatch: (last: number) => {
      const row = next.get()
      if (row === undefined) return undefined
      const { number, resend_id: resendId, is_retry: isRetry, deliveries } = row
      start(last, resendId)
      return { number, resendId, isRetry: isRetry === 1, deliveries: deliveries.split(' ') }
    },
    /** Removes a batch. @param queued how many new deliveries it created */
    endBatch: ({ number, resendId }: { number: number; resendId: number }, queued: number): void => {
      remove(number)
      if (queued > 0) count(queued, resendId)
    },
    /** Deletes what a killed sandbox was about to list; nothing of it was queued. */
    deleteUnlisted: () =>
      database.exec(`DELETE FROM resend_batches WHERE resend_id IN (SELECT id FROM resends WHERE is_listed = 0);
        DELETE FROM resends WHERE is_listed = 0`),
    get: (id: number): Resend | undefined => {
      const row = get.get(id)
      if (row === undefined) return undefined
      const { organization_id: organizationId, after, total, queued, open } = row
      return { organizationId, after, total: open === 1 ? total : queued, isDone: open === 0 }
    },
  }
}

/** Deliveries that can be resent, oldest first. */
export interface Resendable {
  /** Those that failed, have no newer delivery, and whose endpoint still has a signing secret. */
  readonly failed: Delivery['id'][]
  /** Those that wait for their next attempt after a failed one. */
  readonly failing: Delivery['id'][]
}

/** Whether a delivery failed and can be resent, with the alias `d`. */
export const CAN_BE_RESENT = `d.state = 'failed'
  AND (d.endpoint_id IS NULL OR (SELECT secret FROM endpoints AS p WHERE p.id = d.endpoint_id) IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM deliveries AS later WHERE later.event_id = d.event_id
    AND later.seq > d.seq AND later.url = d.url AND later.endpoint_id IS d.endpoint_id)`

/** The deliveries of matching events that can be resent. It reads no others than those of the part. */
export function resendableIn(
  database: Database,
  filter: EventFilter,
  { after, until }: { after: number; until: number },
): Resendable {
  const { sql, values } = conditionsOfOne(filter)
  const { endpointId } = filter
  const own = endpointId === undefined ? [] : [endpointId]
  const list = query<{ id: string; state: string }>(
    database,
    `SELECT d.id, d.state FROM deliveries AS d NOT INDEXED CROSS JOIN events AS e ON e.id = d.event_id
       WHERE d.seq > ? AND d.seq <= ? AND ((d.state = 'pending' AND ${HAS_FAILED}) OR (${CAN_BE_RESENT}))
         ${own.length > 0 ? 'AND d.endpoint_id = ?' : ''} AND ${sql} ORDER BY d.seq`,
  )
  const rows = list.all(after, until, ...own, ...values)
  const idsOf = (isFailed: boolean): string[] =>
    rows.filter(({ state }) => (state === 'failed') === isFailed).map(({ id }) => id)
  return { failed: idsOf(true), failing: idsOf(false) }
}

export type ResentCounts = DeliveryCounts & { canceled: number }

/** The states of deliveries that were resent together: the first `total` that were resent after one. */
export function resentOf(
  database: Database,
  organizationId: string,
  { after, total }: Pick<Resend, 'after' | 'total'>,
): ResentCounts {
  // A sum for each state would take twice as long.
  const count = query<{ state: string; attempts: number; n: number }>(
    database,
    `SELECT state, attempts, count(*) AS n FROM (SELECT state, attempts FROM deliveries
       WHERE seq > ? AND organization_id = ? AND cause = 'redelivery' ORDER BY seq LIMIT ?)
     GROUP BY state, attempts`,
  )
  const counts = { delivered: 0, failed: 0, failing: 0, pending: 0, paused: 0, canceled: 0 }
  for (const { state, attempts, n } of count.all(after, organizationId, total)) {
    counts[shownState(state, attempts)] += n
  }
  return counts
}

function shownState(state: string, attempts: number): keyof ResentCounts {
  switch (state) {
    case 'pending':
      return attempts > 0 ? 'failing' : 'pending'
    case 'in_flight':
      return attempts > 1 ? 'failing' : 'pending'
    // It failed, and was resent once more.
    case 'resent':
      return 'failed'
    case 'cancelled':
      return 'canceled'
    default:
      return state as keyof ResentCounts
  }
}
