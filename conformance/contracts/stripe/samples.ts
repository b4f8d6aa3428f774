import type { Sample } from '../webhook/service.ts'

const API_VERSION = '2026-08-27.basil'
/** A snapshot event: it holds the object as it was. */
const snapshot =
  (type: string, object: (made: Parameters<Sample>[0]) => object, more: object = {}): Sample =>
  (made) => ({
    id: made.newId('evt_', 24),
    object: 'event',
    api_version: API_VERSION,
    created: made.now,
    data: { object: object(made), ...more },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  })

/** Our own events in the shape of Stripe's; the first is the one that most cases send. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  'payment-intent-succeeded': snapshot('payment_intent.succeeded', ({ newId, now, note }) => ({
    id: newId('pi_', 24),
    object: 'payment_intent',
    amount: 4900,
    amount_received: 4900,
    created: now,
    currency: 'eur',
    description: note,
    livemode: false,
    metadata: { page: 'https://shop.example/orders/10001' },
    status: 'succeeded',
  })),
  'payment-intent-payment-failed': snapshot('payment_intent.payment_failed', ({ newId }) => ({
    id: newId('pi_', 24),
    object: 'payment_intent',
    amount: 4900,
    currency: 'eur',
    last_payment_error: { code: 'card_declined', type: 'card_error' },
    status: 'requires_payment_method',
  })),
  'checkout-session-completed': snapshot('checkout.session.completed', ({ newId }) => ({
    id: newId('cs_test_', 32),
    object: 'checkout.session',
    amount_total: 12_500,
    currency: 'usd',
    mode: 'payment',
    payment_status: 'paid',
  })),
  'charge-refunded': snapshot('charge.refunded', ({ newId }) => ({
    id: newId('ch_', 24),
    object: 'charge',
    amount: 4900,
    amount_refunded: 4900,
    currency: 'eur',
    refunded: true,
  })),
  'invoice-paid': snapshot('invoice.paid', ({ newId }) => ({
    id: newId('in_', 24),
    object: 'invoice',
    amount_paid: 900,
    currency: 'gbp',
    status: 'paid',
  })),
  'subscription-updated': snapshot(
    'customer.subscription.updated',
    ({ newId }) => ({ id: newId('sub_', 24), object: 'subscription', status: 'past_due' }),
    { previous_attributes: { status: 'active' } },
  ),
  'event-nobody-knows': snapshot('hookproof.unknown_event', ({ newId }) => ({
    id: newId('x_', 24),
    object: 'hookproof',
  })),
  // A thin event: it names the object, which the receiver fetches.
  thin: ({ newId, now }) => ({
    id: newId('evt_test_', 24),
    object: 'v2.core.event',
    type: 'v1.billing.meter.error_report_triggered',
    created: new Date(now * 1000).toISOString(),
    livemode: false,
    related_object: { id: newId('mtr_', 24), type: 'billing.meter', url: '/v1/billing/meters/mtr_1' },
  }),
}
