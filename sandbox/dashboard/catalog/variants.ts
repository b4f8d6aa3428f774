import type { Context } from '../../compose.ts'
import type { Action } from '../../domain/actions.ts'
import { eventBody, type Recipient } from '../../domain/events.ts'
import { apply } from '../../domain/transitions.ts'
import type { Event, EventName, Mode } from '../../model.ts'
import { pendingPayment } from '../../service/payments.ts'

/** One way in which an event can look, and what leads to it. */
interface Variant {
  readonly id: string
  readonly event: EventName
  readonly title: string
  readonly amount: string
  /** The last one causes the event. */
  readonly steps: readonly Action[]
  /** Only for test payments. */
  readonly isTest?: true
}

const paid: Action = { type: 'succeed', method: 'card' }
const crypto = (amount: string): Action => ({ type: 'pay_part', method: 'crypto', amount })
const giftCard = (amount: string): Action => ({ type: 'pay_part', method: 'gift_card', amount })

/** Every event of the service with its variants. Interface 2.2 and 6. */
export const VARIANTS: readonly Variant[] = [
  variant('payment.completed', 'paid', 'paid in full', [paid]),
  {
    ...variant('payment.completed', 'simulated', 'Simulate Success', [{ ...paid, simulated: true }]),
    isTest: true,
  },
  variant('payment.completed', 'short', 'accepted underpayment', [crypto('20.00'), { type: 'accept_short' }]),
  variant('payment.completed', 'window', 'gift card window ended', [
    giftCard('20.00'),
    { type: 'end_window' },
  ]),
  variant('payment.completed', 'mixed', 'mixed checkout', [
    { type: 'succeed', method: 'pix', settledVia: { rail: 'PIX', amount: '137.50', currency: 'BRL' } },
  ]),
  variant('payment.failed', 'declined', 'card declined', [{ type: 'fail', code: 'card_declined' }]),
  variant('payment.failed', 'error', 'provider error', [{ type: 'fail' }]),
  {
    ...variant('payment.failed', 'simulated', 'Simulate Failure', [{ type: 'fail', simulated: true }]),
    isTest: true,
  },
  variant('payment.partial', 'crypto', 'crypto', [crypto('10.00')]),
  variant('payment.partial', 'gift-card', 'gift card', [giftCard('10.00')]),
  variant('payment.refunded', 'refund', 'refund', [paid, { type: 'reverse', as: 'refund' }]),
  variant('payment.refunded', 'chargeback', 'chargeback', [paid, { type: 'reverse', as: 'chargeback' }]),
  {
    ...variant('payment.expired', 'window', 'gift card under 2.00', [
      giftCard('1.00'),
      { type: 'end_window' },
    ]),
    amount: '1.50',
  },
]

function variant(event: EventName, name: string, title: string, steps: readonly Action[]): Variant {
  return { id: `${event}-${name}`, event, title, amount: '25.00', steps }
}

export const variantOf = (id: string): Variant | undefined => VARIANTS.find((other) => other.id === id)

const CURRENCY = 'USD'

/**
 * Creates a payment and lets the steps of a variant happen to it. Only the last one causes an event, which is sent to one
 * recipient alone.
 * @returns the event
 */
export function sendVariant(
  { store, clock, payments }: Pick<Context, 'store' | 'clock' | 'payments'>,
  { amount, steps, isTest, title }: Variant,
  { organizationId, mode, to }: { organizationId: string; mode: Mode; to: Recipient },
): Event {
  return store.transaction(() => {
    let payment = payments.create({
      organizationId,
      mode: isTest ? 'test' : mode,
      amount,
      currency: CURRENCY,
      metadata: { note: `test event: ${title}` },
    })
    const last = steps.at(-1)
    if (last === undefined) throw new Error('a variant has no steps')
    for (const step of steps.slice(0, -1)) ({ payment } = apply(payment, step, clock.now()))
    // A test event does not advance the clock, so the window ends now.
    if (last.type === 'end_window') payment = { ...payment, windowEndsAt: clock.now() }
    store.payments.update(payment)
    return payments.act(payment.id, last, { recipients: [to] }).event
  })
}

/** The body that a variant has, of a payment that does not exist. @param now milliseconds since 1970 */
export function sampleOf({ amount, steps }: Variant, now: number): object {
  const metadata = { order: 'SO-10482' }
  const input = { organizationId: '', mode: 'test', amount, currency: CURRENCY, metadata } as const
  let payment = pendingPayment('tx_51HqX2aKJ9sQvB7Y', input, now)
  let body: object = {}
  for (const step of steps) {
    const before = step.type === 'end_window' ? { ...payment, windowEndsAt: now } : payment
    const { payment: after, event: name, simulated } = apply(before, step, now)
    payment = after
    body = eventBody(after, { name, simulated, at: now })
  }
  return body
}
