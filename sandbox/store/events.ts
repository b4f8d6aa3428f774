import type { Event, EventName, Mode } from '../model.ts'
import {
  allOf,
  type Condition,
  type Conditions,
  HAS_ID,
  MATCHES_PAYMENT,
  type PaymentSearch,
  searchValues,
} from './payments.ts'
import { statements, tableOf } from './rows.ts'
import type { Database } from './sqlite.ts'

/** The statements on events with their exact bytes. */
export function events(database: Database) {
  const table = tableOf<Event>(database, 'events')
  const { all } = statements(database)
  return {
    insert: table.insert,
    /**
     * The latest events of these names that no delivery takes to an endpoint, oldest first.
     * @param since only those of this time or later; most: how many of the latest events are looked at
     */
    unsentTo: (
      endpointId: string,
      organizationId: string,
      { since, names, most }: { since: number; names: readonly EventName[]; most: number },
    ) =>
      all<{ id: string }>(
        `SELECT id FROM (SELECT seq, id, name, created_at FROM events WHERE organization_id = ? ORDER BY seq DESC LIMIT ?) AS e
           WHERE created_at >= ? AND name IN (SELECT value FROM json_each(?))
             AND NOT EXISTS (SELECT 1 FROM deliveries AS d WHERE d.event_id = e.id AND d.endpoint_id = ?)
           ORDER BY seq`,
        organizationId,
        most,
        since,
        JSON.stringify(names),
        endpointId,
      ).map(({ id }) => id),
    get: (id: string) => table.one('WHERE id = ?', id),
    /** Oldest first. */
    ofPayment: (paymentId: string) => table.all('WHERE payment_id = ? ORDER BY seq', paymentId),
    last: () => all<{ seq: number | null }>('SELECT max(seq) AS seq FROM events')[0]?.seq ?? 0,
    /** How many events of these names an organization has had since. @param after the number of an event */
    since: (organizationId: string, after: number, names: readonly EventName[]) =>
      all<{ n: number }>(
        `SELECT count(*) AS n FROM events INDEXED BY events_listed WHERE organization_id = ? AND seq > ?
           AND name IN (SELECT value FROM json_each(?))`,
        organizationId,
        after,
        JSON.stringify(names),
      )[0]?.n ?? 0,
  }
}

/**
 * The state of a delivery for people: `failing` means that an attempt failed and another is due; `pending` that none has
 * failed yet; `faulty` that it ended after attempts that chaos made wrong, and is no failure.
 */
type ShownState = 'pending' | 'failing' | 'paused' | 'delivered' | 'failed' | 'faulty' | 'canceled'

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

interface PageOf extends EventFilter {
  /** Only events older than this one. */
  readonly before?: string | undefined
  /** Only events newer than this one: those nearest to it. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Whether an attempt of a waiting delivery has failed that was not wrong on purpose; the alias is `d`. */
export const HAS_FAILED = "(d.attempts - (d.state = 'in_flight') > d.faulty_attempts)"

/** The states of deliveries, with the alias `d`. */
export const IN_STATE: Readonly<Record<NonNullable<EventFilter['state']>, string>> = {
  pending: `d.state IN ('pending', 'in_flight') AND NOT ${HAS_FAILED}`,
  failing: `d.state IN ('pending', 'in_flight') AND ${HAS_FAILED}`,
  unfinished: "d.state IN ('pending', 'in_flight', 'paused')",
  paused: "d.state = 'paused'",
  delivered: "d.state = 'delivered'",
  failed: "d.state = 'failed' AND d.attempts > d.faulty_attempts",
  faulty: "d.state = 'failed' AND d.attempts <= d.faulty_attempts",
  canceled: "d.state = 'cancelled'",
}

/** A condition on deliveries that holds for all of them if no state is given. */
const stateOf = (state: EventFilter['state']): string => (state === undefined ? 'TRUE' : IN_STATE[state])

/**
 * Where the matching events come from, with the alias `e`: SQL from `FROM` on. Few events have a delivery in most of the
 * states, and few payments match a text, so those are read first.
 */
function sourceOf(filter: EventFilter): Conditions {
  const { organizationId, state, text, paymentId } = filter
  if (text !== undefined) {
    // The body holds the payment's fields, but as they were then, and it is long.
    const found = `SELECT seq FROM events WHERE id ${HAS_ID} UNION SELECT own.seq FROM payments AS p
      CROSS JOIN events AS own ON own.payment_id = p.id WHERE p.organization_id = ? AND ${MATCHES_PAYMENT}`
    const { sql, values } = conditionsOfOne({ ...filter, text: undefined })
    return {
      sql: `FROM (${found}) AS found CROSS JOIN events AS e ON e.seq = found.seq WHERE ${sql}`,
      values: [text, text, organizationId, ...searchValues(text), ...values],
    }
  }
  if (state !== undefined && paymentId === undefined && state !== 'delivered') {
    const own = withDeliveries(filter, state)
    const { sql, values } = allOf(plainConditionsOf(filter))
    return {
      sql: `FROM (${own.sql}) AS found CROSS JOIN events AS e ON e.id = found.event_id WHERE ${sql}`,
      values: [...own.values, ...values],
    }
  }
  const { sql, values } = conditionsOfOne(filter)
  return { sql: `FROM events AS e ${paymentId === undefined ? LISTED : ''} WHERE ${sql}`, values }
}

/** In the order of the list. SQLite would choose another index, and sort all events. */
const LISTED = 'INDEXED BY events_listed'

/** The ids of the events with a delivery in a state, of one endpoint or of the organization. */
function withDeliveries(
  { organizationId, endpointId }: EventFilter,
  state: keyof typeof IN_STATE,
): Conditions {
  const owner = endpointId === undefined ? 'organization_id' : 'endpoint_id'
  return {
    sql: `SELECT DISTINCT d.event_id FROM deliveries AS d WHERE d.${owner} = ? AND ${IN_STATE[state]}`,
    values: [endpointId ?? organizationId],
  }
}

/** The filter as conditions on the event `e` that read only what belongs to it; only those that apply. */
export function conditionsOfOne(filter: EventFilter): Conditions {
  const { state, text, endpointId } = filter
  const conditions = plainConditionsOf(filter)
  if (endpointId !== undefined) {
    // The plus makes SQLite read the few deliveries of the event instead of the many of the endpoint.
    const own = `SELECT 1 FROM deliveries AS d WHERE d.event_id = e.id AND +d.endpoint_id = ? AND ${stateOf(state)}`
    conditions.push([`EXISTS (${own})`, endpointId])
  } else if (state !== undefined) {
    const own = `SELECT 1 FROM deliveries AS d WHERE d.event_id = e.id AND ${IN_STATE[state]}`
    conditions.push([`EXISTS (${own})`])
  }
  if (text !== undefined) {
    const found = `EXISTS (SELECT 1 FROM payments AS p WHERE p.id = e.payment_id AND ${MATCHES_PAYMENT})`
    conditions.push([`(e.id ${HAS_ID} OR ${found})`, text, text, ...searchValues(text)])
  }
  return allOf(conditions)
}

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

/** The ids of matching events; `store.events` fetches their bodies. */
export function eventIds(database: Database, page: PageOf): Event['id'][] {
  const { before, after, limit, ...filter } = page
  const { sql, values } = sourceOf(filter)
  const [id, sign, order] = after === undefined ? [before, '<', 'DESC'] : [after, '>', 'ASC']
  const edge = id === undefined ? '' : `AND e.seq ${sign} (SELECT seq FROM events WHERE id = ?)`
  const rows = statements(database).all<{ id: string }>(
    `SELECT e.id ${sql} ${edge} ORDER BY e.seq ${order} LIMIT ?`,
    ...values,
    ...(id === undefined ? [] : [id]),
    limit,
  )
  const ids = rows.map((row) => row.id)
  return after === undefined ? ids : ids.toReversed()
}

/** The number of matching events. */
export function eventCount(database: Database, filter: EventFilter): number {
  const { state } = filter
  const others = { ...filter, organizationId: undefined, endpointId: undefined, state: undefined }
  if (state !== undefined && Object.values(others).every((value) => value === undefined)) {
    const { sql, values } = withDeliveries(filter, state)
    return countIn(database, sql, values)
  }
  const { sql, values } = sourceOf(filter)
  return countIn(database, `SELECT 1 ${sql}`, values)
}

const countIn = (database: Database, rows: string, values: Conditions['values']): number =>
  statements(database).all<{ n: number }>(`SELECT count(*) AS n FROM (${rows})`, ...values)[0]?.n ?? 0

/** The states whose events are counted for the tabs. Most events are in none of them. */
export const COUNTED_STATES = ['failing', 'failed', 'paused'] as const

export type CountedState = (typeof COUNTED_STATES)[number]

/** The number of an organization's events with a delivery in a state, up to `most`. */
export function eventsInState(
  database: Database,
  organizationId: string,
  state: CountedState,
  most: number,
): number {
  const { sql, values } = withDeliveries({ organizationId }, state)
  return countIn(database, `${sql} LIMIT ?`, [...values, most])
}
