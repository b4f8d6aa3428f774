import { serialize } from '../../fixtures/generate.ts'
import { type Chaos, planCopies } from '../deliveries/index.ts'
import { eventBody } from '../domain/event-body.ts'
import { type Recipient, recipientsOf } from '../domain/recipients.ts'
import type { Transition } from '../domain/transitions.ts'
import { newId } from '../ids.ts'
import type { DeliveryCause, Event, Payment } from '../model.ts'
import type { Store } from '../store/store.ts'

/** How an event is delivered. */
interface How {
  readonly cause: DeliveryCause
  readonly now: number
  readonly chaos: Chaos | null
  readonly random: () => number
  /** Instead of those of interface 6 rule 1. */
  readonly recipients?: readonly Recipient[] | undefined
}

/**
 * Stores an event, whose bytes never change afterwards, and a delivery for each recipient. Call it in the transaction
 * that changes the payment, so that neither is stored without the other. Interface 6 rule 1.
 */
export function emit(store: Store, transition: Transition, { now, ...how }: Omit<How, 'cause'>): Event {
  const { payment, event: name, simulated } = transition
  const event: Event = {
    id: newId('evt_'),
    paymentId: payment.id,
    organizationId: payment.organizationId,
    name,
    mode: payment.mode,
    body: serialize(eventBody(payment, { name, simulated, at: now })),
    createdAt: now,
  }
  store.events.insert(event)
  enqueue(store, payment, event, { cause: 'event', now, ...how })
  return event
}

/** Stores a delivery of an event for each current recipient. @returns the number of recipients */
export function enqueue(
  store: Store,
  payment: Payment,
  event: Event,
  { cause, now, chaos, random, recipients }: How,
): number {
  const chosen =
    recipients ?? recipientsOf(payment, event.name, store.endpoints.ofOrganization(payment.organizationId))
  const { id: eventId, organizationId } = event
  for (const { url, endpointId } of chosen) {
    for (const { delayMs, body } of planCopies(chaos, event.body, random)) {
      const nextAttemptAt = now + delayMs
      const delivery = { id: newId('dlv_'), eventId, organizationId, endpointId, url, cause, body }
      store.deliveries.insert({ ...delivery, nextAttemptAt, chaos: chaos && { ...chaos }, createdAt: now })
    }
  }
  return chosen.length
}
