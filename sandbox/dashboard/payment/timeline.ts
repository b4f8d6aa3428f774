import type { Payment } from '../../model.ts'
import type { EventView } from '../shared/event-view.ts'

/** Something that happened to a payment, or is going to. */
export interface Moment {
  readonly at: number
  readonly what: string
  /** The event that told of it, with its deliveries. */
  readonly event?: EventView
  readonly isAhead?: true
}

/**
 * Everything that happened to a payment, oldest first, and the end of its window if that is to come.
 * @param children the transactions that switches of method made, oldest first
 */
export function timelineOf(
  payment: Payment,
  children: readonly Payment[],
  events: readonly EventView[],
): Moment[] {
  const { windowEndsAt } = payment
  const happened: Moment[] = [
    { at: payment.createdAt, what: 'created' },
    ...children.map(({ createdAt, method, id }) => ({
      at: createdAt,
      what: `customer switched to ${method} (internal transaction ${id}, which no event names)`,
    })),
    ...events.map((event) => ({ at: event.createdAt, what: event.name, event })),
  ]
  const ahead: Moment[] =
    windowEndsAt === null
      ? []
      : [{ at: windowEndsAt, what: 'the 24 hours of the gift card end', isAhead: true }]
  // Sorting is stable, so that what happened in one millisecond stays in this order.
  return [...happened.toSorted((a, b) => a.at - b.at), ...ahead]
}
