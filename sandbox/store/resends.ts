import type { Delivery } from '../model.ts'
import { conditionsOfOne, type EventFilter, HAS_FAILED } from './events.ts'
import type { DeliveryCounts } from './health.ts'
import { statements } from './rows.ts'
import type { Database } from './sqlite.ts'

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
  const rows = statements(database).all<{ id: string; state: string }>(
    `SELECT d.id, d.state FROM deliveries AS d NOT INDEXED CROSS JOIN events AS e ON e.id = d.event_id
       WHERE d.seq > ? AND d.seq <= ? AND ((d.state = 'pending' AND ${HAS_FAILED}) OR (d.attempts > d.faulty_attempts AND ${CAN_BE_RESENT}))
         ${own.length > 0 ? 'AND d.endpoint_id = ?' : ''} AND ${sql} ORDER BY d.seq`,
    after,
    until,
    ...own,
    ...values,
  )
  const idsOf = (isFailed: boolean): string[] =>
    rows.filter(({ state }) => (state === 'failed') === isFailed).map(({ id }) => id)
  return { failed: idsOf(true), failing: idsOf(false) }
}

export type ResentCounts = DeliveryCounts & { canceled: number }

/** Deliveries that were resent together: the first `total` of the organization that were resent after one. */
export interface Resent {
  readonly organizationId: string
  /** The number of the last delivery before them. */
  after: number
  total: number
}

/** The states of deliveries that were resent together. */
export function resentOf(database: Database, { organizationId, after, total }: Resent): ResentCounts {
  // A sum for each state would take twice as long.
  const groups = statements(database).all<{ state: string; attempts: number; n: number }>(
    `SELECT state, attempts, count(*) AS n FROM (SELECT state, attempts FROM deliveries
       WHERE seq > ? AND organization_id = ? AND cause = 'redelivery' ORDER BY seq LIMIT ?)
     GROUP BY state, attempts`,
    after,
    organizationId,
    total,
  )
  const counts = { delivered: 0, failed: 0, failing: 0, pending: 0, paused: 0, canceled: 0 }
  for (const { state, attempts, n } of groups) {
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
