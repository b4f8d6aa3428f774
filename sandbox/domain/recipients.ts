import type { Endpoint, EventName, Payment } from '../model.ts'

/** Where an event goes: a registered endpoint, or the payment's webhook_url (`endpointId` is then null). */
export interface Recipient {
  url: string
  endpointId: string | null
}

/**
 * The recipients of an event by interface 6 rule 1: the payment's webhook_url, and each enabled endpoint of its
 * organisation whose filter includes the event and whose mode matches the payment's. A URL that is both gets the event
 * twice, with two signatures.
 * @param endpoints those of the payment's organisation
 */
export function recipientsOf(payment: Payment, name: EventName, endpoints: readonly Endpoint[]): Recipient[] {
  const bare = payment.webhookUrl === null ? [] : [{ url: payment.webhookUrl, endpointId: null }]
  const registered = endpoints
    .filter(({ isEnabled, deletedAt }) => isEnabled && deletedAt === null)
    .filter(({ mode }) => mode === 'both' || mode === payment.mode)
    .filter(({ events }) => events.includes(name))
    .map(({ url, id }) => ({ url, endpointId: id }))
  return [...bare, ...registered]
}
