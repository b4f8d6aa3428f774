import { METHOD_NAMES } from '../../checkout/names.ts'
import type { Payment } from '../../model.ts'
import type { EventView } from '../shared/event-view.ts'

/** Something that happened to a payment or will happen to it. */
export interface TimelineEntry {
  readonly at: number
  readonly text: string
  /** The event that the service sent for it, with its deliveries. */
  readonly event?: EventView
  readonly isUpcoming?: true
}

/**
 * The history of a payment, oldest first, followed by the end of its gift card window if that is still to come.
 * @param children the internal transactions created by method switches, oldest first
 */
export function timelineOf(
  payment: Payment,
  children: readonly Payment[],
  events: readonly EventView[],
): TimelineEntry[] {
  const { windowEndsAt } = payment
  const past: TimelineEntry[] = [
    { at: payment.createdAt, text: 'Created' },
    ...children.map(({ createdAt, method, id }) => ({
      at: createdAt,
      text: `Customer switched to ${method === null ? 'no method' : METHOD_NAMES[method]} (internal transaction ${id}, never named in events)`,
    })),
    ...events.map((event) => ({ at: event.createdAt, text: event.name, event })),
  ]
  const upcoming: TimelineEntry[] =
    windowEndsAt === null
      ? []
      : [{ at: windowEndsAt, text: '24-hour gift card window ends', isUpcoming: true }]
  // The sort is stable: entries of the same millisecond keep this order.
  return [...past.toSorted((a, b) => a.at - b.at), ...upcoming]
}
