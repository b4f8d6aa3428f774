import type { Context } from '../../context.ts'
import { newId } from '../../ids.ts'
import type { Event } from '../../model.ts'

/**
 * Sends a body as a delivery of an event to a URL that is not one of its recipients. Like a delivery to a webhook_url, it
 * is signed with the organization's secret. The caller has checked the URL; it is checked again when it is sent.
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
