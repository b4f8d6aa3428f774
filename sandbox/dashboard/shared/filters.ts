import type { Request } from 'express'
import { EVENT_NAMES, type Mode } from '../../model.ts'
import type { EventFilter } from '../../store/events.ts'

export const DELIVERY_STATES = ['pending', 'failing', 'paused', 'delivered', 'failed', 'canceled'] as const
export const MODES = ['test', 'live'] as const satisfies readonly Mode[]

/** The filter of the Events screen; an undefined field matches every event. */
export interface EventQuery
  extends Pick<EventFilter, 'name' | 'mode' | 'paymentId' | 'endpointId' | 'text'>,
    DateRange {
  readonly state: (typeof DELIVERY_STATES)[number] | undefined
}

/** Reads the filter from the query of a URL; invalid values are ignored. */
export const eventQueryOf = ({ query }: Pick<Request, 'query'>): EventQuery => ({
  text: text(query['q']),
  name: choice(query['name'], EVENT_NAMES),
  state: choice(query['state'], DELIVERY_STATES),
  mode: choice(query['mode'], MODES),
  paymentId: text(query['payment']),
  endpointId: text(query['endpoint']),
  ...dateRangeOf(query),
})

/** The filter as the store takes it. */
export const storeFilter = ({ state, from, to, ...rest }: EventQuery) => ({
  ...rest,
  ...timesOf({ from, to }),
  state: storeState(state),
})

/** A state of deliveries in the spelling of the store. */
export const storeState = (state: EventQuery['state']) =>
  state === 'canceled' ? ('cancelled' as const) : state

/** Writes the filter as the query of a URL; empty if every event matches. */
export const searchParamsFor = (filter: EventQuery): URLSearchParams => {
  const { text: q, name, state, mode, paymentId, endpointId, from, to } = filter
  return new URLSearchParams({
    ...(q && { q }),
    ...(name && { name }),
    ...(state && { state }),
    ...(mode && { mode }),
    ...(paymentId && { payment: paymentId }),
    ...(endpointId && { endpoint: endpointId }),
    ...(from && { from }),
    ...(to && { to }),
  })
}

/** The days of a filter, in UTC, such as `2026-03-01`; both are included. */
interface DateRange {
  readonly from: string | undefined
  readonly to: string | undefined
}

const DAY_MS = 86_400_000

/** Reads the days from the query of a URL; invalid ones are ignored. */
export const dateRangeOf = (query: Request['query']): DateRange => ({
  from: dayOf(query['from']),
  to: dayOf(query['to']),
})

/** The range in milliseconds since 1970: from its start until before its end. */
export const timesOf = ({ from, to }: DateRange) => ({
  from: from === undefined ? undefined : Date.parse(from),
  until: to === undefined ? undefined : Date.parse(to) + DAY_MS,
})

const dayOf = (given: unknown): string | undefined =>
  typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))
    ? given
    : undefined

/** The links to the neighboring pages of a list; undefined if there is none. */
interface Paging {
  readonly newer: string | undefined
  readonly older: string | undefined
}

/** Where a page of a list starts, from its URL. */
interface Position {
  /** The id after which the page starts. */
  readonly before: string | undefined
  /** The id before which the page ends. */
  readonly after: string | undefined
}

/**
 * Cuts a page from the entries that were found, and links to its neighbors.
 * @param found up to one more entry than fit on a page: it shows that the list goes on in the direction of the request
 * @param list path: of the list; query: its filter; size: how many entries fit on a page
 */
export function pageOf<Entry>(
  found: readonly Entry[],
  { before, after }: Position,
  list: { path: string; query: URLSearchParams; size: number; idOf: (entry: Entry) => string },
): { page: Entry[] } & Paging {
  const { path, query, size, idOf } = list
  const isBackwards = after !== undefined
  const goesOn = found.length > size
  const page = isBackwards ? found.slice(-size) : found.slice(0, size)
  const linkTo = (name: keyof Position, entry: Entry | undefined): string | undefined => {
    if (entry === undefined) return undefined
    const params = new URLSearchParams(query)
    params.set(name, idOf(entry))
    return `${path}?${params.toString()}`
  }
  return {
    page,
    newer: (isBackwards ? goesOn : before !== undefined) ? linkTo('after', page[0]) : undefined,
    older: isBackwards || goesOn ? linkTo('before', page.at(-1)) : undefined,
  }
}

/** The value of a query or form field if it is one of `values`; otherwise undefined. */
export const choice = <Value extends string>(given: unknown, values: readonly Value[]): Value | undefined =>
  values.find((value) => value === given)

/** The trimmed text of a query field; undefined if it is empty, absent or repeated. */
export const text = (given: unknown): string | undefined =>
  typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined
