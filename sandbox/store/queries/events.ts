import type { Delivery, Event, EventName, Mode } from '../../model.ts'
import { query } from '../rows.ts'
import type { Database } from '../sqlite.ts'

/** Which events to list, newest first. */
export interface EventFilter {
  readonly organizationId: string
  readonly name?: EventName | undefined
  readonly mode?: Mode | undefined
  /** Only events with a delivery in this state; `pending` means pending or in flight. */
  readonly state?: 'pending' | 'delivered' | 'failed' | 'cancelled' | undefined
  readonly paymentId?: string | undefined
  /** Only events older than this one. */
  readonly before?: string | undefined
  readonly limit: number
}

/** The filter as SQL, with the alias `e` for the event. */
const MATCHES = `organization_id = ?1
       AND (?2 IS NULL OR name = ?2)
       AND (?3 IS NULL OR mode = ?3)
       AND (?4 IS NULL OR EXISTS (SELECT 1 FROM deliveries AS d WHERE d.event_id = e.id
         AND CASE WHEN d.state IN ('pending', 'in_flight') THEN 'pending' ELSE d.state END = ?4))
       AND (?5 IS NULL OR payment_id = ?5)`

/** Prepares a query for the ids of matching events; `store.events` fetches their bodies. */
export function eventIds(database: Database): (filter: EventFilter) => Event['id'][] {
  const list = query<{ id: string }>(
    database,
    `SELECT id FROM events AS e
     WHERE ${MATCHES}
       AND (?6 IS NULL OR seq < (SELECT seq FROM events WHERE id = ?6))
     ORDER BY seq DESC LIMIT ?7`,
  )
  return ({ before, limit, ...filter }) =>
    list.all(...valuesOf(filter), before ?? null, limit).map(({ id }) => id)
}

/**
 * Prepares a query for the ids of failed deliveries of matching events, oldest first: those without a newer delivery,
 * whose endpoint still has a signing secret.
 */
export function failedIds(
  database: Database,
): (filter: Omit<EventFilter, 'before' | 'limit'>) => Delivery['id'][] {
  const list = query<{ id: string }>(
    database,
    `SELECT id FROM deliveries AS f
     WHERE state = 'failed' AND event_id IN (SELECT id FROM events AS e WHERE ${MATCHES})
       AND (endpoint_id IS NULL OR (SELECT secret FROM endpoints AS p WHERE p.id = f.endpoint_id) IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM deliveries AS later WHERE later.event_id = f.event_id
         AND later.seq > f.seq AND later.url = f.url AND later.endpoint_id IS f.endpoint_id)
     ORDER BY seq`,
  )
  return (filter) => list.all(...valuesOf(filter)).map(({ id }) => id)
}

const valuesOf = ({ organizationId, name, mode, state, paymentId }: Omit<EventFilter, 'before' | 'limit'>) =>
  [organizationId, name ?? null, mode ?? null, state ?? null, paymentId ?? null] as const
