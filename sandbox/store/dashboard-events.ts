import type { Event, EventName, Mode } from '../model.ts'
import type { Database } from './database.ts'
import { query } from './rows.ts'

/** Which events the dashboard lists, newest first. */
export interface EventFilter {
  readonly organisationId: string
  readonly name?: EventName | undefined
  readonly mode?: Mode | undefined
  /** Only those with a delivery in one of these states: `waiting` is pending or in flight. */
  readonly state?: 'waiting' | 'delivered' | 'failed' | 'cancelled' | undefined
  readonly paymentId?: string | undefined
  /** Only those before this one. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Prepares the listing of events, each by its id: the bodies are fetched with `store.events`. */
export function eventIds(database: Database): (filter: EventFilter) => Event['id'][] {
  const list = query<{ id: string }>(
    database,
    `SELECT id FROM events AS e
     WHERE organisation_id = ?1
       AND (?2 IS NULL OR name = ?2)
       AND (?3 IS NULL OR mode = ?3)
       AND (?4 IS NULL OR EXISTS (SELECT 1 FROM deliveries AS d WHERE d.event_id = e.id
         AND CASE WHEN d.state IN ('pending', 'in_flight') THEN 'waiting' ELSE d.state END = ?4))
       AND (?5 IS NULL OR payment_id = ?5)
       AND (?6 IS NULL OR seq < (SELECT seq FROM events WHERE id = ?6))
     ORDER BY seq DESC LIMIT ?7`,
  )
  return ({ organisationId, name, mode, state, paymentId, before, limit }) =>
    list
      .all(
        organisationId,
        name ?? null,
        mode ?? null,
        state ?? null,
        paymentId ?? null,
        before ?? null,
        limit,
      )
      .map(({ id }) => id)
}
