import { fewAtOnce, inOrder, inTurn, later, together, untilEffect } from '../../../../engine/plan.ts'
import type { Delivery } from '../../../webhook/delivery.ts'
import { accepted, acceptedOrBusy } from '../../../webhook/expectations/expect.ts'
import { SHIPPED_AFTER_REFUND } from '../../../webhook/finding.ts'
import type { Plan } from '../../../webhook/model.ts'
import { ifAcknowledged, notReversedAsSettled } from '../../expectations/conditional.ts'
import { fulfilledThenReversed, nothingLeftFulfilled } from '../../expectations/effects.ts'
import { type Kit, paymentOf } from '../../kit.ts'
import {
  AGES,
  amongEarlyRefunds,
  amongOthers,
  chargebackOf,
  DAY,
  emitted,
  emittedAgain,
  everyMethod,
  MINUTE,
  paidThen,
  refundOf,
  reversalOf,
} from '../../payments.ts'
import { requirement } from '../../section.ts'
import { short } from './money.ts'

/** How often a race is run: one of them alone may be won by chance. */
const RACES = 4

const races = (kit: Kit): Delivery[] => Array.from({ length: RACES }, () => kit.delivery('completed'))

/** Each payment is completed, and reversed once its effect shows. */
const paidThenReversed = (paid: readonly Delivery[], reversal: (paid: Delivery) => Delivery): Plan =>
  inOrder(fewAtOnce(...paid), untilEffect(...paid), fewAtOnce(...paid.map(reversal)))

const settled = (kit: Kit) =>
  kit.delivery('completed-mixed-checkout', {
    amount: '25.00',
    currency: 'USD',
    settled_via: { rail: 'PIX', amount: '135.40', currency: 'BRL' },
  })
/** A mixed checkout has `settled_via` in all its events. */
const refundOfSettled = (paid: Delivery, kit: Kit): Delivery => {
  const { settled_via } = JSON.parse(paid.body.toString()) as Record<string, unknown>
  return kit.delivery('refund', { ...paymentOf(paid), settled_via })
}

/** Amounts of a completion and of its refund. */
const WRITTEN = [
  ['25.00', '25'],
  ['25', '25.00'],
] as const

/** A time in Unix seconds as ISO 8601, in UTC or so many minutes ahead of it. */
const inUtc = (at: number) => new Date(at * 1000).toISOString()
const toSeconds = (at: number) => inUtc(at).replace('.000', '')
const ahead = (minutes: number) => (at: number) => {
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = [hours, rest].map((part) => String(part).padStart(2, '0')).join(':')
  return toSeconds(at + minutes * MINUTE).replace('Z', `${minutes < 0 ? '-' : '+'}${offset}`)
}
const before = (seconds: number) => (at: number) => inUtc(at - seconds)
/** How a completion that was sent again, and an older refund or one of the same second, write their times. */
const FORMS = [
  [inUtc, inUtc],
  [inUtc, before(1)],
  [inUtc, before(2 * DAY)],
  [toSeconds, inUtc],
  [ahead(330), inUtc],
  [inUtc, ahead(-480)],
  [ahead(180), toSeconds],
] as const

/** As long as other cases wait in any case, in milliseconds; as the case begins first, it waits for as long as the run takes. */
const AWAITED_MS = 5_200

const permanently = 'Remember payments permanently, in the database, not in a cache that drops the oldest.'

/** SPEC.md 9.7. */
export const refunds = requirement(
  'A receiver MUST reverse a fulfilled payment after a refund or a chargeback, once for all deliveries of that event.',
  {
    impact: 'The customer keeps the goods and gets the money back.',
    fix: 'On payment.refunded, reverse what the payment fulfilled, once, for both types.',
  },
  {
    'refund-reverses': {
      needs: 'effects',
      role: 'refund-in-turn',
      send: paidThen((paid, kit) => {
        const refund = refundOf(paid, kit)
        return [refund, refund]
      }),
      expect: [accepted, fulfilledThenReversed],
    },
    'chargeback-reverses': {
      needs: 'effects',
      send: paidThen((paid, kit) => [chargebackOf(paid, kit)]),
      expect: [accepted, fulfilledThenReversed],
    },
    'refund-reverses-every-method': {
      needs: 'effects',
      send: (kit) => paidThenReversed(everyMethod(kit), (paid) => reversalOf(paid, kit)),
      expect: [accepted, fulfilledThenReversed],
      fix: 'Decide by the event, not by the payment method.',
    },
    'refund-of-a-short-payment': {
      needs: 'effects',
      send: (kit) => paidThenReversed([short(kit, '20.50', '25.00', 'USD')], (paid) => refundOf(paid, kit)),
      expect: [accepted, fulfilledThenReversed],
      fix: 'Reverse what was fulfilled; do not compare the amount of the refund with that of the order.',
    },
    'refund-with-its-amount-written-differently': {
      needs: 'effects',
      send: (kit) => {
        const paid = WRITTEN.map(([amount]) => kit.delivery('completed', { amount, currency: 'USD' }))
        const refunds = paid.map((one, n) =>
          kit.delivery('refund', { ...paymentOf(one), amount: WRITTEN[n]?.[1] ?? '' }),
        )
        const again = paid.map((one) => refundOf(one, kit))
        return inOrder(fewAtOnce(...paid), untilEffect(...paid), fewAtOnce(...refunds), fewAtOnce(...again))
      },
      expect: [accepted, fulfilledThenReversed],
      fix: 'Find the payment of a refund by its payment id; where you compare amounts, compare their values: 25 is 25.00.',
    },
    'refund-with-its-timestamp-written-differently': {
      needs: 'effects',
      send: (kit) => {
        const at = kit.emittedAt()
        const pairs = FORMS.map(([ofPaid, ofRefund]) => {
          const paid = kit.delivery('completed', { timestamp: ofPaid(at) })
          return [paid, kit.delivery('refund', { ...paymentOf(paid), timestamp: ofRefund(at) })] as const
        })
        const paid = pairs.map(([completion]) => completion)
        return inOrder(
          fewAtOnce(...paid),
          untilEffect(...paid),
          fewAtOnce(...pairs.map(([, refund]) => refund)),
        )
      },
      expect: [ifAcknowledged(fulfilledThenReversed)],
      open: 'A receiver may refuse a timestamp that is written in a form that it does not know (8.20).',
      fix: 'Reverse on payment.refunded, whatever its timestamp is; where you compare timestamps, parse them with their offsets.',
    },
    'refund-of-a-mixed-checkout': {
      needs: 'effects',
      send: (kit) => paidThenReversed([settled(kit)], (paid) => refundOfSettled(paid, kit)),
      expect: [accepted, fulfilledThenReversed],
      fix: 'Reverse what was fulfilled; ignore `settled_via`.',
    },
    'refund-delivered-twice-at-once': {
      needs: 'effects',
      role: 'copies-together',
      send: (kit) => {
        const paid = races(kit)
        const copies = paid.map((one) => refundOf(one, kit)).map((refund) => together(refund, refund))
        return inOrder(fewAtOnce(...paid), untilEffect(...paid), ...copies)
      },
      expect: [acceptedOrBusy, ifAcknowledged(fulfilledThenReversed)],
      about: ['reversed-again'],
      impact: 'The merchant takes back the same payment twice.',
      fix: 'Record the refund under a unique key in the transaction that reverses; do not look it up first.',
    },
    'refund-resent-long-after': {
      needs: 'effects',
      send: (kit) => {
        const paid = kit.delivery('completed', emitted(kit, 500 * DAY))
        const refund = kit.delivery('refund', paymentOf(paid))
        return inOrder(
          inTurn(paid),
          untilEffect(paid),
          inTurn(...AGES.map((age) => emittedAgain(refund, kit, age))),
        )
      },
      expect: [accepted, fulfilledThenReversed],
      about: ['reversed-again'],
      impact: 'The merchant takes back the same payment twice.',
      fix: 'Leave `timestamp` out of the key of a refund, and reverse a payment only once.',
    },
    'refund-after-a-thousand-payments': {
      needs: 'effects',
      send: (kit) => {
        const [late, again] = [kit.delivery('completed'), kit.delivery('completed')]
        const redelivered = refundOf(again, kit)
        return inOrder(
          inTurn(late, again),
          untilEffect(late, again),
          inTurn(redelivered),
          amongOthers(kit),
          inTurn(refundOf(late, kit), redelivered),
        )
      },
      expect: [accepted, fulfilledThenReversed],
      fix: permanently,
    },
  },
)

/** SPEC.md 9.8. */
export const earlyRefunds = requirement(
  'A receiver MUST leave nothing fulfilled when a refund arrives before its completion.',
  SHIPPED_AFTER_REFUND,
  {
    'refund-before-completion': {
      needs: 'effects',
      role: 'refund-in-turn',
      send: (kit) => {
        const paid = kit.delivery('completed')
        return inTurn(refundOf(paid, kit), paid)
      },
      expect: [accepted, nothingLeftFulfilled],
    },
    'chargeback-before-completion': {
      needs: 'effects',
      send: (kit) => {
        const paid = kit.delivery('completed')
        return inTurn(chargebackOf(paid, kit), paid)
      },
      expect: [accepted, nothingLeftFulfilled],
      fix: 'Remember every payment.refunded, of either type, even one whose completion has not arrived yet.',
    },
    'refund-seconds-before-completion': {
      needs: 'effects',
      early: true,
      send: (kit) => {
        const paid = kit.delivery('completed')
        return inOrder(inTurn(refundOf(paid, kit)), later(AWAITED_MS), inTurn(paid))
      },
      expect: [accepted, nothingLeftFulfilled],
      fix: 'Remember an early refund permanently, in the store; do not let it expire while its completion is awaited.',
    },
    'refund-a-given-time-before-completion': {
      needs: 'effects',
      onlyWith: 'redeliver-after',
      send: (kit) => {
        const paid = kit.delivery('completed')
        return inOrder(inTurn(refundOf(paid, kit)), later(kit.redeliverAfterMs), inTurn(paid))
      },
      expect: [accepted, nothingLeftFulfilled],
      fix: 'Remember an early refund permanently, in the store; do not let it expire while its completion is awaited.',
    },
    'refund-long-before-completion': {
      needs: 'effects',
      send: (kit) => {
        const paid = kit.delivery('completed')
        return inOrder(inTurn(refundOf(paid, kit)), amongEarlyRefunds(kit), inTurn(paid))
      },
      expect: [accepted, nothingLeftFulfilled],
      fix: 'Remember an early refund permanently, in the store, not in a list that drops the oldest.',
    },
  },
)

/** SPEC.md 9.15. */
export const reversedOnce = requirement(
  'A receiver SHOULD reverse a payment only once, even if a refund and a chargeback of it both arrive.',
  {
    impact: 'The merchant takes back the same payment twice.',
    fix: 'Reverse a payment only if it is fulfilled and not reversed yet.',
  },
  {
    'refund-and-chargeback-reverse-once': {
      needs: 'effects',
      send: paidThen((paid, kit) => [refundOf(paid, kit), chargebackOf(paid, kit)]),
      expect: [accepted, fulfilledThenReversed],
      about: ['reversed-again'],
      impact: 'The merchant reverses the order, or records the refund, twice.',
      fix: 'Reverse a payment under its own unique key, so that a second kind of refund finds it already reversed.',
    },
  },
)

/** SPEC.md 9.17. */
export const reversedInOwnCurrency = requirement(
  'A receiver SHOULD NOT record a reversal for the amount or currency of `settled_via`.',
  {
    impact: 'The merchant takes back another amount, or another currency, than the customer paid.',
    fix: 'Record the reversal for `amount` and `currency`, as the fulfillment was.',
  },
  {
    'mixed-checkout-reversed-in-own-currency': {
      needs: 'effects',
      send: (kit) => paidThenReversed([settled(kit)], (paid) => refundOfSettled(paid, kit)),
      expect: [accepted, notReversedAsSettled],
    },
  },
)
