import type { Action } from '../../domain/actions.ts'
import type { EventName } from '../../model.ts'

/** One way in which an event can look, and what leads to it. */
export interface Variant {
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

/** The variant with an id, if there is one. */
export const variantOf = (id: string): Variant | undefined => VARIANTS.find((other) => other.id === id)
