import type { Event, EventName, Mode } from '../../model.ts'
import { query, type Value } from '../rows.ts'
import type { Database } from '../sqlite.ts'
import { MATCHES_PAYMENT, type PaymentSearch, searchValues } from './search.ts'

/**
 * The state of a delivery for people: `failing` means that an attempt failed and another is due; `pending` that none has
 * ended yet.
 */
type ShownState = 'pending' | 'failing' | 'paused' | 'delivered' | 'failed' | 'cancelled'

/** Which events to match; an undefined field matches every event. */
export interface EventFilter extends PaymentSearch {
  readonly organizationId: string
  readonly name?: EventName | undefined
  readonly mode?: Mode | undefined
  /** Only events with a delivery in this state; `unfinished` means pending, failing or paused. */
  readonly state?: ShownState | 'unfinished' | undefined
  readonly paymentId?: string | undefined
  /** Only events that were sent to this endpoint; a state is then that of the delivery to it. */
  readonly endpointId?: string | undefined
}

/** A page of a list, newest first. */
interface PageOf extends EventFilter {
  /** Only events older than this one. */
  readonly before?: string | undefined
  /** Only events newer than this one: those nearest to it. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Whether an attempt of a delivery has failed; the alias is `d`. */
export const HAS_FAILED = "(d.attempts > 1 OR (d.attempts = 1 AND d.state = 'pending'))"

const inState = (state: string) => `SELECT d.event_id FROM deliveries AS d WHERE d.state = '${state}'`

/** Deliveries whose next attempt is due or running: a condition for each, since each state has its own index. */
const waiting = (condition: string) =>
  ['pending', 'in_flight'].map((state) => `${inState(state)} AND ${condition}`).join(' UNION ALL ')

/** The events with a delivery in each state. Few deliveries are in most of the states, so these are read first. */
const WITH_STATE: Readonly<Record<NonNullable<EventFilter['state']>, string>> = {
  pending: `e.id IN (${waiting(`NOT ${HAS_FAILED}`)})`,
  failing: `e.id IN (${waiting(HAS_FAILED)})`,
  unfinished: `e.id IN (${waiting('TRUE')} UNION ALL ${inState('paused')})`,
  paused: `e.id IN (${inState('paused')})`,
  delivered: "EXISTS (SELECT 1 FROM deliveries AS d WHERE d.event_id = e.id AND d.state = 'delivered')",
  failed: `e.id IN (${inState('failed')})`,
  cancelled: `e.id IN (${inState('cancelled')})`,
}

/** The states of deliveries, with the alias `d`. */
export const IN_STATE: Readonly<Record<NonNullable<EventFilter['state']>, string>> = {
  pending: `d.state IN ('pending', 'in_flight') AND NOT ${HAS_FAILED}`,
  failing: `d.state IN ('pending', 'in_flight') AND ${HAS_FAILED}`,
  unfinished: "d.state IN ('pending', 'in_flight', 'paused')",
  paused: "d.state = 'paused'",
  delivered: "d.state = 'delivered'",
  failed: "d.state = 'failed'",
  cancelled: "d.state = 'cancelled'",
}

/** A condition on deliveries that holds for all of them if no state is given. */
const stateOf = (state: EventFilter['state']): string => (state === undefined ? 'TRUE' : IN_STATE[state])

interface Conditions {
  readonly sql: string
  readonly values: Value[]
}

/** The filter as SQL, with the alias `e` for the event; only the conditions that apply, so that SQLite can use an index. @param isPage whether only a few of the events are read */
function conditionsOf(filter: EventFilter, isPage = false): Conditions {
  const { organizationId, state, text, endpointId } = filter
  const conditions = plainConditionsOf(filter)
  if (endpointId !== undefined) {
    // A page of the newest events is found sooner from the events; the plus makes SQLite read the few deliveries of each.
    const isFirst = isPage && state === undefined
    const own = isFirst
      ? 'EXISTS (SELECT 1 FROM deliveries AS d WHERE d.event_id = e.id AND +d.endpoint_id = ?)'
      : `e.id IN (SELECT d.event_id FROM deliveries AS d WHERE d.endpoint_id = ? AND ${stateOf(state)})`
    conditions.push([own, endpointId])
  } else if (state !== undefined) conditions.push([WITH_STATE[state]])
  if (text !== undefined) {
    // The body holds the payment's fields, but as they were then, and it is long.
    const found = `e.payment_id IN (SELECT p.id FROM payments AS p WHERE p.organization_id = ? AND ${MATCHES_PAYMENT})`
    conditions.push([`(e.id = ? OR ${found})`, text, organizationId, ...searchValues(text)])
  }
  return joined(conditions)
}

/** The same for queries about few events: the conditions read only what belongs to one event. */
export function conditionsOfOne(filter: EventFilter): Conditions {
  const { state, text, endpointId } = filter
  const conditions = plainConditionsOf(filter)
  if (endpointId !== undefined) {
    const own = `SELECT 1 FROM deliveries AS d WHERE d.event_id = e.id AND d.endpoint_id = ? AND ${stateOf(state)}`
    conditions.push([`EXISTS (${own})`, endpointId])
  } else if (state !== undefined) {
    const own = `SELECT 1 FROM deliveries AS d WHERE d.event_id = e.id AND ${IN_STATE[state]}`
    conditions.push([`EXISTS (${own})`])
  }
  if (text !== undefined) {
    const found = `EXISTS (SELECT 1 FROM payments AS p WHERE p.id = e.payment_id AND ${MATCHES_PAYMENT})`
    conditions.push([`(e.id = ? OR ${found})`, text, ...searchValues(text)])
  }
  return joined(conditions)
}

type Condition = [string, ...Value[]]

/** The conditions on columns of the event. */
function plainConditionsOf(filter: EventFilter): Condition[] {
  const { organizationId, name, mode, paymentId, from = null, until = null } = filter
  const conditions: Condition[] = [['e.organization_id = ?', organizationId]]
  if (name !== undefined) conditions.push(['e.name = ?', name])
  if (mode !== undefined) conditions.push(['e.mode = ?', mode])
  if (paymentId !== undefined) conditions.push(['e.payment_id = ?', paymentId])
  if (from !== null) conditions.push(['e.created_at >= ?', from])
  if (until !== null) conditions.push(['e.created_at < ?', until])
  return conditions
}

const joined = (conditions: readonly Condition[]): Conditions => ({
  sql: conditions.map(([sql]) => sql).join(' AND '),
  values: conditions.flatMap(([, ...values]) => values),
})

/** Prepares a query for the ids of matching events; `store.events` fetches their bodies. */
export function eventIds(database: Database): (page: PageOf) => Event['id'][] {
  return ({ before, after, limit, ...filter }) => {
    const { sql, values } = conditionsOf(filter, true)
    const [id, sign, order] = after === undefined ? [before, '<', 'DESC'] : [after, '>', 'ASC']
    const edge = id === undefined ? '' : `AND seq ${sign} (SELECT seq FROM events WHERE id = ?)`
    const list = query<{ id: string }>(
      database,
      `SELECT id FROM events AS e WHERE ${sql} ${edge} ORDER BY seq ${order} LIMIT ?`,
    )
    const ids = list.all(...values, ...(id === undefined ? [] : [id]), limit).map((row) => row.id)
    return after === undefined ? ids : ids.toReversed()
  }
}

/** Prepares a query for the number of matching events. */
export function eventCount(database: Database): (filter: EventFilter) => number {
  return (filter) => {
    const { sql, values } = conditionsOf(filter)
    const count = query<{ n: number }>(database, `SELECT count(*) AS n FROM events AS e WHERE ${sql}`)
    return count.get(...values)?.n ?? 0
  }
}

/** The states whose events are counted for the tabs; both have few deliveries, and an index. */
export type CountedState = 'failing' | 'failed'

/** Prepares a query for the number of an organization's events with a delivery in a state, up to `most`. */
export function eventsInState(
  database: Database,
): (organizationId: string, state: CountedState, most: number) => number {
  const count = (states: readonly string[], condition: string) => {
    const events = states.map(
      (state) =>
        `SELECT event_id FROM deliveries AS d WHERE +d.organization_id = ?1 AND d.state = '${state}' AND ${condition}`,
    )
    // Reads no more than it counts: the plus keeps SQLite from another index than that of the state.
    const sql = `SELECT count(*) AS n FROM (SELECT DISTINCT event_id FROM (${events.join(' UNION ALL ')}) LIMIT ?2)`
    return query<{ n: number }>(database, sql)
  }
  const counts = { failing: count(['pending', 'in_flight'], HAS_FAILED), failed: count(['failed'], 'TRUE') }
  return (organizationId, state, most) => counts[state].get(organizationId, most)?.n ?? 0
}
