import { fewAtOnce, inOrder, inTurn, untilEffect } from '../../../engine/plan.ts'
import type { Delivery } from '../delivery.ts'
import { fulfilledOnce } from '../expectations/effects.ts'
import { accepted } from '../expectations/expect.ts'
import {
  effectsOfSequences,
  type Happening,
  isFulfilledAfter,
  sequencesFrom,
} from '../expectations/sequences.ts'
import { type Kit, paymentOf } from '../kit.ts'
import type { CaseOfRequirement, Plan } from '../model.ts'
import { OVERLAPPING } from './payments/overlap.ts'
import { olderThanTheLast } from './payments/timestamps.ts'
import { BETWEEN_OTHERS } from './payments/unknown-events.ts'
import { requirement } from './section.ts'

// A gift card under 2 USD: the only kind of payment that can have each of the five events.
const PAYMENT = { amount: '1.80', currency: 'USD', payment_method: 'gift_card', processor: 'gift_card' }
/** What the customer paid so far: the first two together make the amount. */
const RECEIVED = ['0.60', '1.20', '1.79']

/** The deliveries of a new payment, one for each event; an event that occurs again is a redelivery, except a partial payment. */
function deliveriesOf(kit: Kit, sequence: readonly Happening[]): Delivery[] {
  const payment = { ...PAYMENT, ...paymentOf(kit.delivery('completed', PAYMENT)) }
  const made = new Map<string, Delivery>()
  let partials = 0
  return sequence.map((happening) => {
    const amount_received = RECEIVED[happening === 'partial' ? partials++ : 0]
    const key = `${happening} ${amount_received}`
    const delivery = made.get(key) ?? deliveryOf(kit, happening, { ...payment, amount_received })
    made.set(key, delivery)
    return delivery
  })
}

function deliveryOf(
  kit: Kit,
  happening: Happening,
  { amount_received, ...payment }: Readonly<Record<string, unknown>>,
): Delivery {
  switch (happening) {
    case 'completed':
      return kit.delivery('completed', payment)
    case 'failed':
      return kit.delivery('failed-card_declined', payment)
    case 'partial':
      return kit.delivery('partial-gift-card-under-threshold', { ...payment, amount_received })
    case 'refunded':
      return kit.delivery('refund', payment)
    case 'expired':
      return kit.delivery('expired-gift-card', { ...payment, amount_received })
  }
}

/**
 * Sends the n-th event of every payment before the (n+1)-th of any, and waits for the fulfillments in between, so that a
 * receiver which processes events in any order has only one correct outcome.
 */
function sequences(kit: Kit, first: Happening): Plan {
  const payments = sequencesFrom(first).map((sequence) => ({
    sequence,
    deliveries: deliveriesOf(kit, sequence),
  }))
  return [0, 1, 2].flatMap((position) => {
    const next = payments.flatMap(({ deliveries }) => deliveries[position] ?? [])
    const fulfilled = payments
      .filter(({ sequence }) => sequence.length > position && isFulfilledAfter(sequence.slice(0, position)))
      .flatMap(({ deliveries }) => deliveries[0] ?? [])
    return inOrder(...(fulfilled.length > 0 ? [untilEffect(...fulfilled)] : []), fewAtOnce(...next))
  })
}

const startingWith = (first: Happening): CaseOfRequirement => ({
  needs: 'effects',
  send: (kit) => sequences(kit, first),
  expect: [accepted, effectsOfSequences],
})

/** SPEC.md 9.12. */
export const everySequence = requirement(
  'A receiver MUST leave a payment fulfilled if it was completed and not refunded, and only then, regardless of which other events of the payment arrive and in which order.',
  {
    impact:
      'A payment ends unfulfilled although it was paid, or fulfilled although it was refunded, because its events arrived in an unusual order.',
    fix: 'Fulfill on payment.completed unless the payment was refunded, reverse on payment.refunded, each once; no other event changes either.',
  },
  {
    'every-sequence-from-completed': startingWith('completed'),
    'every-sequence-from-failed': startingWith('failed'),
    'every-sequence-from-partial': startingWith('partial'),
    'every-sequence-from-refunded': startingWith('refunded'),
    'every-sequence-from-expired': startingWith('expired'),
    'events-older-than-the-last-one': olderThanTheLast,
    ...BETWEEN_OTHERS,
    ...OVERLAPPING,
  },
)

/** SPEC.md 9.14. */
export const completionAfterExpiry = requirement(
  'A receiver SHOULD fulfill a payment whose completion arrives after `payment.expired`.',
  {
    impact: 'A customer who pays after the payment expired gets nothing.',
    fix: 'On payment.expired, keep the order open: fulfill it if the completion arrives later.',
  },
  {
    'completion-after-expiry': {
      needs: 'effects',
      send: (kit) => {
        const paid = kit.delivery('completed', PAYMENT)
        const expired = kit.delivery('expired-gift-card', { ...paymentOf(paid), amount_received: '0.60' })
        return inTurn(expired, paid)
      },
      expect: [accepted, fulfilledOnce],
    },
  },
)
