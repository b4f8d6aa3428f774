import type { Effect } from '../../../schemas/types.ts'
import type { ObservationReader } from '../../engine/observe/observe.ts'
import { readBy } from '../webhook/observation.ts'

/** How a receiver shows what it did for a payment (SPEC.md 9). */
export const observation: ObservationReader<Effect> = {
  key: 'payment_id',
  read: readBy('observation', ({ effects }) => effects),
}

/** What a receiver shows that has these effects: a function in `observe` returns no more than them. */
export const shownBy = (effects: unknown) => ({ effects })
