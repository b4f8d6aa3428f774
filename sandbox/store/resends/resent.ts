import type { DeliveryCounts } from '../queries/recipients.ts'
import { query } from '../rows.ts'
import type { Database } from '../sqlite.ts'

/** Deliveries that were resent together: the first `total` that were resent after a delivery. */
export interface ResentRange {
  /** The number of the last delivery before them. */
  readonly after: number
  readonly total: number
}

type ResentCounts = DeliveryCounts & { canceled: number }

/** Prepares a query for the states of deliveries that were resent together. */
export function resentOf(database: Database): (organizationId: string, range: ResentRange) => ResentCounts {
  // A sum for each state would take twice as long.
  const count = query<{ state: string; attempts: number; n: number }>(
    database,
    `SELECT state, attempts, count(*) AS n FROM (SELECT state, attempts FROM deliveries
       WHERE seq > ? AND organization_id = ? AND cause = 'redelivery' ORDER BY seq LIMIT ?)
     GROUP BY state, attempts`,
  )
  return (organizationId, { after, total }) => {
    const counts = { delivered: 0, failed: 0, failing: 0, pending: 0, paused: 0, canceled: 0 }
    for (const { state, attempts, n } of count.all(after, organizationId, total)) {
      counts[shownState(state, attempts)] += n
    }
    return counts
  }
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

/** Prepares a query for the number of the last delivery of all. */
export function lastDelivery(database: Database): () => number {
  const last = query<{ seq: number | null }>(database, 'SELECT max(seq) AS seq FROM deliveries')
  return () => last.get()?.seq ?? 0
}
