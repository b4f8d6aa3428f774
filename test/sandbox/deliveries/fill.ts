import { serialize } from '../../../fixtures/index.ts'
import { newId } from '../../../sandbox/ids.ts'
import type { Delivery } from '../../../sandbox/model.ts'
import { pendingPayment } from '../../../sandbox/service/payments.ts'
import type { Store } from '../../../sandbox/store/store.ts'

/** The secret of the organization, for webhook_url deliveries. */
export const URL_SECRET = 'whsec_of_the_webhook_url'
/** The secret of its endpoint. */
export const ENDPOINT_SECRET = 'whsec_of_the_endpoint'

/** Writes one organization, one endpoint and one payment. */
export function fill(store: Store): void {
  store.organizations.insert({ id: 'org_one', name: 'One', webhookUrlSecret: URL_SECRET })
  store.endpoints.insert({
    id: 'we_one',
    organizationId: 'org_one',
    url: 'https://endpoint.example/hooks',
    secret: ENDPOINT_SECRET,
    events: ['payment.completed'],
    mode: 'test',
    description: null,
    createdAt: 0,
  })
  const order = { organizationId: 'org_one', mode: 'test', amount: '25.00', currency: 'USD' } as const
  store.payments.insert(pendingPayment('tx_one', order, 0))
}

/** Stores an event and queues one delivery of it. */
export function enqueue(
  store: Store,
  given: Partial<Delivery> = {},
): { id: string; eventId: string; body: Buffer } {
  const eventId = newId('evt_')
  const id = newId('dlv_')
  const body = serialize({ event: 'payment.completed', payment_id: 'tx_one', id: eventId, note: 'é\u2028' })
  const owned = { organizationId: 'org_one', createdAt: 0 }
  store.transaction(() => {
    const event = { paymentId: 'tx_one', name: 'payment.completed', mode: 'test', body } as const
    store.events.insert({ ...owned, ...event, id: eventId })
    const to = { endpointId: null, url: 'https://shop.example/hooks' }
    const delivery = { cause: 'event', body: null, nextAttemptAt: 0, chaos: null } as const
    store.deliveries.insert({ ...owned, ...to, ...delivery, id, eventId, ...given })
  })
  return { id, eventId, body }
}
