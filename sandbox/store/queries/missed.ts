import type { EventName } from '../../model.ts'
import { query } from '../rows.ts'
import type { Database } from '../sqlite.ts'

/** Counts the events that occurred while a listener was stopped. */
interface MissedEvents {
  /** The number of the last event of all. */
  last(): number
  /** How many events of these names an organization has had since. @param after the number of an event */
  since(organizationId: string, after: number, names: readonly EventName[]): number
}

/** Prepares the statements for {@link MissedEvents}. */
export function missedEvents(database: Database): MissedEvents {
  const last = query<{ seq: number | null }>(database, 'SELECT max(seq) AS seq FROM events')
  const count = query<{ n: number }>(
    database,
    `SELECT count(*) AS n FROM events INDEXED BY events_listed WHERE organization_id = ? AND seq > ?
       AND name IN (SELECT value FROM json_each(?))`,
  )
  return {
    last: () => last.get()?.seq ?? 0,
    since: (organizationId, after, names) => count.get(organizationId, after, JSON.stringify(names))?.n ?? 0,
  }
}
