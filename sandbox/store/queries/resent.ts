import { query } from '../rows.ts'
import type { Database } from '../sqlite.ts'
import type { DeliveryCounts } from './recipients.ts'

/** Deliveries that were resent together: the first `total` that were resent after a delivery. */
export interface ResentRange {
  /** The number of the last delivery before them. */
  readonly after: number
  readonly total: number
}

/** Prepares a query for the states of deliveries that were resent together. */
export function resentOf(
  database: Database,
): (organizationId: string, range: ResentRange) => DeliveryCounts & { canceled: number } {
  const count = query<DeliveryCounts & { canceled: number }>(
    database,
    `SELECT coalesce(sum(state = 'delivered'), 0) AS delivered, coalesce(sum(state = 'failed'), 0) AS failed,
       coalesce(sum(state = 'cancelled'), 0) AS canceled, coalesce(sum(state = 'paused'), 0) AS paused,
       coalesce(sum(state IN ('pending', 'in_flight') AND attempts > (state = 'in_flight')), 0) AS failing,
       coalesce(sum(state IN ('pending', 'in_flight') AND attempts <= (state = 'in_flight')), 0) AS pending
     FROM (SELECT state, attempts FROM deliveries
       WHERE seq > ? AND organization_id = ? AND cause = 'redelivery' ORDER BY seq LIMIT ?)`,
  )
  const none = { delivered: 0, failed: 0, failing: 0, pending: 0, paused: 0, canceled: 0 }
  return (organizationId, { after, total }) => count.get(after, organizationId, total) ?? none
}

/** Prepares a query for the number of the last delivery of all. */
export function lastDelivery(database: Database): () => number {
  const last = query<{ seq: number | null }>(database, 'SELECT max(seq) AS seq FROM deliveries')
  return () => last.get()?.seq ?? 0
}
