import type { Delivery } from '../../model.ts'
import { conditionsOfOne, type EventFilter, HAS_FAILED } from '../queries/events.ts'
import { query } from '../rows.ts'
import type { Database } from '../sqlite.ts'

/** Deliveries that can be resent, oldest first. */
export interface Resendable {
  /** Those that failed, have no newer delivery, and whose endpoint still has a signing secret. */
  readonly failed: Delivery['id'][]
  /** Those that wait for their next attempt after a failed one. */
  readonly failing: Delivery['id'][]
}

/** A part of all deliveries, by their numbers. */
export interface Part {
  /** The number of the delivery before the first. */
  readonly after: number
  readonly until: number
}

/** Whether a delivery failed and can be resent, with the alias `d`. */
export const CAN_BE_RESENT = `d.state = 'failed'
  AND (d.endpoint_id IS NULL OR (SELECT secret FROM endpoints AS p WHERE p.id = d.endpoint_id) IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM deliveries AS later WHERE later.event_id = d.event_id
    AND later.seq > d.seq AND later.url = d.url AND later.endpoint_id IS d.endpoint_id)`

/** Prepares a query for the deliveries of matching events that can be resent. It reads no others than those of the part. */
export function resendableIn(database: Database): (filter: EventFilter, part: Part) => Resendable {
  return (filter, { after, until }) => {
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
}
