import type { Request } from 'express'
import { EVENT_NAMES, type Mode } from '../model.ts'
import type { EventFilter } from '../store/queries/events.ts'
import { choice, text } from './query.ts'

export const STATES = ['waiting', 'delivered', 'failed', 'cancelled'] as const
export const MODES = ['test', 'live'] as const satisfies readonly Mode[]

/** Which events a person wants to see, of those of the organization. */
export type Wanted = Pick<EventFilter, 'name' | 'state' | 'mode' | 'paymentId'>

/** Reads the filter in the query of a page or of a form's address; what makes no sense is left out. */
export const wantedOf = ({ query }: Pick<Request, 'query'>): Wanted => ({
  name: choice(query['name'], EVENT_NAMES),
  state: choice(query['state'], STATES),
  mode: choice(query['mode'], MODES),
  paymentId: text(query['payment']),
})

/** Writes it into a query again; empty when every event is wanted. */
export const queryFor = ({ name, state, mode, paymentId }: Wanted): URLSearchParams =>
  new URLSearchParams({
    ...(name && { name }),
    ...(state && { state }),
    ...(mode && { mode }),
    ...(paymentId && { payment: paymentId }),
  })
