import type { Request } from 'express'

/** The days of a filter, in UTC, such as `2026-03-01`; both are included. */
export interface DateRange {
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
