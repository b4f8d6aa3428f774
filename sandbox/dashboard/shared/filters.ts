import type { Request } from 'express'
import { EVENT_NAMES, type Mode } from '../../model.ts'

export const DELIVERY_STATES = [
  'pending',
  'failing',
  'paused',
  'delivered',
  'failed',
  'faulty',
  'canceled',
] as const
export const MODES = ['test', 'live'] as const satisfies readonly Mode[]

/** The filter of the Events screen; an undefined field matches every event. */
export type EventQuery = ReturnType<typeof eventQueryOf>

/** Reads the filter from the query of a URL; invalid values are ignored. */
export const eventQueryOf = ({ query }: Pick<Request, 'query'>) => ({
  text: text(query['q']),
  name: choice(query['name'], EVENT_NAMES),
  state: choice(query['state'], DELIVERY_STATES),
  mode: choice(query['mode'], MODES),
  paymentId: text(query['payment']),
  endpointId: text(query['endpoint']),
  ...dateRangeOf(query),
})

/** The filter as the store takes it. */
export const storeFilter = ({ from, to, ...rest }: EventQuery) => ({ ...rest, ...timesOf({ from, to }) })

/** Writes the filter as the query of a URL; empty if every event matches. */
export const searchParamsFor = (filter: EventQuery): URLSearchParams => {
  const { text: q, name, state, mode, paymentId, endpointId, from, to } = filter
  return searchParams({ q, name, state, mode, payment: paymentId, endpoint: endpointId, from, to })
}

/** Writes fields as the query of a URL, without those that are absent or empty. */
export const searchParams = (fields: Readonly<Record<string, string | undefined>>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : [])),
  )

const DAY_MS = 86_400_000

/** Reads days in UTC, such as `2026-03-01`, from the query of a URL; both are included, invalid ones are ignored. */
export const dateRangeOf = (query: Request['query']) => ({
  from: dayOf(query['from']),
  to: dayOf(query['to']),
})

/** The range in milliseconds since 1970: from its start until before its end. */
export const timesOf = ({ from, to }: ReturnType<typeof dateRangeOf>) => ({
  from: from === undefined ? undefined : Date.parse(from),
  until: to === undefined ? undefined : Date.parse(to) + DAY_MS,
})

const dayOf = (given: unknown): string | undefined =>
  typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))
    ? given
    : undefined

/** Where a page of a list starts: after the id `before`, or ends: before the id `after`. */
export const positionOf = ({ query }: Pick<Request, 'query'>) => ({
  before: text(query['before']),
  after: text(query['after']),
})

/**
 * Cuts a page from the entries that were found, and links to its neighbors; undefined if there is none.
 * @param found up to one more entry than fit on a page: it shows that the list goes on in the direction of the request
 * @param list path: of the list; query: its filter; size: how many entries fit on a page
 */
export function pageOf<Entry>(
  found: readonly Entry[],
  { before, after }: ReturnType<typeof positionOf>,
  list: { path: string; query: URLSearchParams; size: number; idOf: (entry: Entry) => string },
) {
  const { path, query, size, idOf } = list
  const isBackwards = after !== undefined
  const goesOn = found.length > size
  const page = isBackwards ? found.slice(-size) : found.slice(0, size)
  const linkTo = (name: 'before' | 'after', entry: Entry | undefined): string | undefined => {
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
