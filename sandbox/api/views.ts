import { METHODS } from '../../fixtures/methods.ts'
import type {
  EndpointCreateResponse,
  Endpoint as EndpointView,
  PaymentCreateResponse,
} from '../../schemas/types.ts'
import type { Endpoint, Payment } from '../model.ts'

/** An endpoint in lists and lookups: without mode and secret. Interface 4.2 and 4.3. */
export const endpointView = (endpoint: Endpoint): EndpointView => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  is_enabled: endpoint.isEnabled,
  description: endpoint.description,
  created_at: iso(endpoint.createdAt),
})

/** The only response that contains the secret. Interface 4.1. */
export const newEndpointView = (endpoint: Endpoint & { secret: string }): EndpointCreateResponse => ({
  id: endpoint.id,
  url: endpoint.url,
  secret: endpoint.secret,
  events: endpoint.events,
  mode: endpoint.mode,
  is_enabled: endpoint.isEnabled,
  created_at: iso(endpoint.createdAt),
})

/** The response to payment creation. Interface 2.4. */
export const newPaymentView = (payment: Payment, origin: string): PaymentCreateResponse => ({
  id: payment.id,
  checkout_url: checkoutUrl(payment, origin),
})

/** The hosted checkout: test and live payments have different paths. Interface 2.4. */
const checkoutUrl = ({ id, mode }: Payment, origin: string): string =>
  `${origin}/${mode === 'test' ? 'test/checkout' : 'checkout'}/${id}`

/** A payment in a lookup. Interface 4.6 does not specify its fields: they are named like those of events. */
export function paymentView(payment: Payment, origin: string) {
  const { method } = payment
  return {
    id: payment.id,
    status: payment.status,
    amount: payment.amount,
    amount_received: payment.amountReceived,
    currency: payment.currency,
    payment_method: method,
    processor: method === null ? null : METHODS[method].processor,
    settled_via: payment.settledVia,
    livemode: payment.mode === 'live',
    checkout_url: checkoutUrl(payment, origin),
    // Absent instead of null, as in the request.
    ...(payment.returnUrl === null ? {} : { return_url: payment.returnUrl }),
    ...(payment.webhookUrl === null ? {} : { webhook_url: payment.webhookUrl }),
    metadata: payment.metadata,
    failure_code: payment.failureCode,
    failure_reason: payment.failureReason,
    refund_type: payment.refundType,
    created_at: iso(payment.createdAt),
    updated_at: iso(payment.updatedAt),
    window_ends_at: payment.windowEndsAt === null ? null : iso(payment.windowEndsAt),
  }
}

const iso = (time: number): string => new Date(time).toISOString()
