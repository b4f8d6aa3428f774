import { METHODS } from '../../fixtures/methods.ts'
import type { ServiceEvent } from '../../schemas/types.ts'
import { BadAction } from '../errors.ts'
import type { Endpoint, EventName, Payment } from '../model.ts'
import { compareAmounts } from './amounts.ts'

/**
 * The body of an event: exactly the fields of interface 2.2, in the order of its table. It is built from the root
 * payment and always has that payment's id and metadata (rules 1 and 2).
 * @param options name: the event; simulated: whether a button of the test checkout triggered it (6 rule 2); at: the
 * time, in milliseconds
 * @throws BadAction for a payment without a method
 */
export function eventBody(
  payment: Payment,
  { name, simulated, at }: { name: EventName; simulated: boolean; at: number },
): ServiceEvent {
  const { method } = payment
  if (method === null) throw new BadAction(`payment ${payment.id} has no payment method yet.`)
  const { id } = payment
  const body = {
    event: name,
    ...(name === 'payment.refunded' ? { type: payment.refundType } : {}),
    id,
    payment_id: id,
    order_id: id,
    status: statusOf(name),
    ...amounts(payment, name),
    currency: payment.currency,
    payment_method: method,
    processor: METHODS[method].processor,
    ...(payment.settledVia === null ? {} : { settled_via: payment.settledVia }),
    livemode: payment.mode === 'live',
    timestamp: new Date(at).toISOString(),
    ...(name === 'payment.failed'
      ? { failure_code: payment.failureCode, failure_reason: payment.failureReason }
      : {}),
    metadata: payment.metadata,
    ...(simulated ? { test: true } : {}),
  }
  return body as ServiceEvent
}

/**
 * The bytes of an event. They are indented, as those of some services are, because few receivers that write the parsed JSON
 * again produce these bytes: one that verifies such a copy answers 401 to its first event, not later in production.
 */
export const eventBytes = (...event: Parameters<typeof eventBody>): Buffer =>
  Buffer.from(JSON.stringify(eventBody(...event), null, 2))

/** The amount credited to the merchant for a completed payment: the amount received if it is less than the amount ordered. */
export function creditedAmount({ amount, amountReceived }: Payment): string {
  return isShort({ amount, amountReceived }) ? (amountReceived ?? amount) : amount
}

function amounts(payment: Payment, name: EventName): Record<string, string | null> {
  const { amount, amountReceived } = payment
  switch (name) {
    case 'payment.completed':
      return isShort(payment) ? { amount: amountReceived, amount_requested: amount } : { amount }
    case 'payment.refunded':
      return { amount: creditedAmount(payment) }
    case 'payment.partial':
    case 'payment.expired':
      return { amount, amount_received: amountReceived }
    case 'payment.failed':
      return { amount }
  }
}

const isShort = ({ amount, amountReceived }: Pick<Payment, 'amount' | 'amountReceived'>): boolean =>
  amountReceived !== null && compareAmounts(amountReceived, amount) < 0

/** Interface 2.2 has three statuses. The two events without one use `failed`, so that no receiver ships by mistake. */
function statusOf(name: EventName): 'completed' | 'failed' | 'refunded' {
  if (name === 'payment.completed') return 'completed'
  return name === 'payment.refunded' ? 'refunded' : 'failed'
}

/** Where an event goes: a registered endpoint, or the payment's webhook_url (`endpointId` is then null). */
export interface Recipient {
  url: string
  endpointId: string | null
}

/**
 * The recipients of an event by interface 6 rule 1: the payment's webhook_url, and each enabled endpoint of its
 * organization whose filter includes the event and whose mode matches the payment's. A URL that is both gets the event
 * twice, with two signatures.
 * @param endpoints those of the payment's organization
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
