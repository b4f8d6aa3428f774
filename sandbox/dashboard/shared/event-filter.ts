import type { Request } from 'express'
import { EVENT_NAMES, type Mode } from '../../model.ts'
import type { EventFilter } from '../../store/queries/events.ts'
import { type DateRange, dateRangeOf, timesOf } from '../lists/date-range.ts'
import { choice, text } from './query.ts'

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
