import type { Context } from '../context.ts'
import { newId } from '../ids.ts'
import type { Event } from '../model.ts'

/**
 * Sends a body in the name of an event to an address that is none of its recipients, signed as for a webhook_url: with
 * the organization's secret. The target check must have let the address pass; it is looked at again when it is sent.
 */
export function sendTo(
  { store, clock, deliveries }: Pick<Context, 'store' | 'clock' | 'deliveries'>,
  { id: eventId, organizationId }: Event,
  { url, body }: { url: string; body: Uint8Array },
): void {
  const now = clock.now()
  store.deliveries.insert({
    id: newId('dlv_'),
    eventId,
    organizationId,
    endpointId: null,
    url,
    cause: 'edited',
    body,
    chaos: null,
    nextAttemptAt: now,
    createdAt: now,
  })
  deliveries.wake()
}
