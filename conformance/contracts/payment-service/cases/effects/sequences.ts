import { fewAtOnce, inOrder, inTurn, pauseFor, together, untilEffect } from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import { accepted } from '../../../webhook/expectations/expect.ts'
import type { Plan } from '../../../webhook/model.ts'
import { acceptedUnlessBusy, ifAcknowledged } from '../../expectations/conditional.ts'
import { fulfilledOnce, fulfilledThenReversed, nothingLeftFulfilled } from '../../expectations/effects.ts'
import {
  effectsOfSequences,
  type Happening,
  isFulfilledAfter,
  sequencesFrom,
} from '../../expectations/sequences.ts'
import { type Kit, paymentOf } from '../../kit.ts'
import { emitted, emittedAgain, everyFailure, MINUTE, refundOf } from '../../payments.ts'
import { type CaseOfRequirement, requirement } from '../../section.ts'
import { OPEN, unknown } from './unknown-events.ts'

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

/** How often a race is run: one of them alone may be won by chance. */
const RACES = 4
/** Milliseconds between one refund and the next: each arrives in another phase of the work on its completion. */
const GAPS_MS = [10, 30, 60, 100]

const EITHER_ORDER =
  'A receiver may handle the two events in either order, and may ask the sender of one to come again while it handles the other.'
const REFUND_LOST = {
  impact: 'A refund that arrives while the receiver works on the completion is lost: the goods are shipped.',
  fix: 'Lock the payment while you change it, and look for a refund in the transaction that fulfills it.',
}
const races = (kit: Kit): Delivery[] => Array.from({ length: RACES }, () => kit.delivery('completed'))

/** Payments of which an event arrives after one that was emitted later. */
const olderThanTheLast: CaseOfRequirement = {
  needs: 'effects',
  send: (kit) => {
    const at = (minutesAgo: number) => emitted(kit, minutesAgo * MINUTE)
    const paid = (minutesAgo: number) => kit.delivery('completed', at(minutesAgo))
    const [resent, resentLater, afterFailure, afterPartial, failedLater] = [
      paid(10),
      paid(10),
      paid(5),
      paid(5),
      paid(10),
    ]
    const refund = (of: Delivery, minutesAgo: number) =>
      kit.delivery('refund', { ...paymentOf(of), ...at(minutesAgo) })
    const refundedFirst = paid(10)
    const fulfilled = [resent, resentLater, afterFailure, afterPartial, failedLater]
    return inOrder(
      fewAtOnce(
        kit.delivery('failed-provider_unavailable', { ...paymentOf(afterFailure), ...at(1) }),
        kit.delivery('partial-crypto', { ...paymentOf(afterPartial), amount_received: '0.01', ...at(1) }),
      ),
      fewAtOnce(...fulfilled),
      untilEffect(...fulfilled),
      // Resent before the refund arrives, and after it.
      fewAtOnce(
        emittedAgain(resent, kit, 0),
        kit.delivery('failed-provider_unavailable', { ...paymentOf(failedLater), ...at(1) }),
      ),
      fewAtOnce(refund(resent, 5), refund(resentLater, 5), refund(failedLater, 5)),
      inTurn(emittedAgain(resentLater, kit, 0)),
      inTurn(refund(refundedFirst, 5), emittedAgain(refundedFirst, kit, 0)),
    )
  },
  expect: [accepted, effectsOfSequences],
  impact: 'A refund or a payment is lost, because another event of the payment has a later timestamp.',
  fix: 'Do not drop an event because its `timestamp` is older than that of another; each event changes what it is about.',
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
    'every-failure-after-completion': {
      needs: 'effects',
      send: (kit) => {
        const [kept, refunded] = [everyFailure(kit), everyFailure(kit)]
        const paid = [...kept, ...refunded].map((pair) => pair.paid)
        return inOrder(
          fewAtOnce(...paid),
          untilEffect(...paid),
          fewAtOnce(...[...kept, ...refunded].map(({ failed }) => failed)),
          fewAtOnce(...refunded.map((pair) => refundOf(pair.paid, kit))),
        )
      },
      expect: [accepted, effectsOfSequences],
      about: ['not-reversed', 'reversed-not-due'],
      impact:
        'A payment is taken back, or its refund is lost, because the failure of an earlier attempt arrives late.',
      fix: 'Change nothing on payment.failed, whatever its code: the failure of another attempt may arrive after the completion.',
    },
    'unknown-events-between-the-others': {
      needs: 'effects',
      send: (kit) => {
        const [first, second] = [kit.delivery('completed'), kit.delivery('completed')]
        const before = (paid: Delivery): Delivery => ({
          ...unknown(kit, 'payment.processing', paymentOf(paid)),
          role: 'context',
        })
        return inOrder(
          inTurn(before(first), first, second),
          untilEffect(second),
          inTurn(before(second), kit.delivery('refund', paymentOf(second))),
          inTurn(asControl(kit.delivery('completed'))),
        )
      },
      expect: [accepted, effectsOfSequences],
      open: OPEN,
      impact:
        'A payment is not fulfilled, or not reversed, because an event that the service adds later came first.',
      fix: 'Ignore unknown events entirely: do not record their payment as seen, and do not change its state.',
    },
    'refund-while-the-completion-is-handled': {
      needs: 'effects',
      role: 'refund-meanwhile',
      isUnordered: true,
      send: (kit) => {
        const others = GAPS_MS.map(() => kit.delivery('completed'))
        const refunds = others.flatMap((paid, n) => [
          ...pauseFor(GAPS_MS[n] ?? 0),
          ...inTurn(refundOf(paid, kit)),
        ])
        const atOnce = races(kit).flatMap((paid) => [paid, refundOf(paid, kit)])
        return inOrder(inTurn(...atOnce), fewAtOnce(...others), refunds)
      },
      expect: [acceptedUnlessBusy, ifAcknowledged(nothingLeftFulfilled)],
      open: EITHER_ORDER,
      ...REFUND_LOST,
    },
    'refund-and-completion-at-once': {
      needs: 'effects',
      role: 'refund-meanwhile',
      isUnordered: true,
      send: (kit) => inOrder(...races(kit).map((paid) => together(paid, refundOf(paid, kit)))),
      expect: [acceptedUnlessBusy, ifAcknowledged(nothingLeftFulfilled)],
      open: EITHER_ORDER,
      ...REFUND_LOST,
    },
    'refund-and-resent-completion-at-once': {
      needs: 'effects',
      role: 'refund-meanwhile',
      isUnordered: true,
      send: (kit) => {
        const paid = races(kit)
        return inOrder(
          fewAtOnce(...paid),
          untilEffect(...paid),
          ...paid.map((one) => together(refundOf(one, kit), one)),
        )
      },
      expect: [acceptedUnlessBusy, ifAcknowledged(fulfilledThenReversed)],
      open: EITHER_ORDER,
      impact: 'A refund that arrives together with a redelivery of its completion is lost, or shipped again.',
      fix: 'Lock the payment while you change it; do not write back a state that another event has changed meanwhile.',
    },
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
