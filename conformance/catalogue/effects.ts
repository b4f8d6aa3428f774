import {
  fulfilledOnce,
  fulfilledThenReversed,
  livemodeShown,
  nothingHandled,
  nothingLeftFulfilled,
} from '../case/effects.ts'
import { accepted } from '../case/expect.ts'
import { paymentOf } from '../case/kit.ts'
import { genuinely, inTurn } from '../case/plan.ts'
import { section } from './section.ts'

const givenAway = {
  impact: 'Goods are handed over that were not paid for.',
  fix: 'Fulfil on payment.completed alone.',
}
const wrongAmount = {
  impact: 'The customer is credited with more than was paid, or with another currency.',
  fix: 'Credit `amount` in `currency`, and nothing else, whatever other amounts the event names.',
}
const refundIgnored = {
  impact: 'The customer keeps the goods and gets the money back.',
  fix: 'On payment.refunded reverse what the payment had fulfilled, once, for either type.',
}

export const effects = section('effects', 'Effects', {
  'completed-is-fulfilled': {
    spec: 'A completed payment MUST be fulfilled, once, in the mode that the receiver serves.',
    needs: 'effects',
    send: genuinely('completed'),
    expect: [accepted, fulfilledOnce],
    impact: 'The customer has paid and gets nothing.',
    fix: 'Process what was stored, and try again what failed.',
  },
  'every-method-is-fulfilled': {
    spec: 'A completed payment MUST be fulfilled, once, in the mode that the receiver serves.',
    needs: 'effects',
    send: genuinely(
      'completed-by-pix',
      'completed-by-crypto',
      'completed-by-gift_card',
      'completed-by-alipay',
    ),
    expect: [accepted, fulfilledOnce],
    impact: 'Customers who pay by some methods get nothing.',
    fix: 'Decide by the event, not by the method.',
  },
  'short-payment-for-amount': {
    spec: 'A short payment MUST be fulfilled for `amount`, never for `amount_requested`.',
    needs: 'effects',
    send: genuinely('completed-short'),
    expect: [accepted, fulfilledOnce],
    ...wrongAmount,
  },
  'short-gift-card-for-amount': {
    spec: 'A short payment MUST be fulfilled for `amount`, never for `amount_requested`.',
    needs: 'effects',
    send: genuinely('completed-gift-card-short'),
    expect: [accepted, fulfilledOnce],
    ...wrongAmount,
  },
  'mixed-checkout-in-own-currency': {
    spec: "A mixed checkout MUST be fulfilled for the payment's own `amount` and `currency`, not those of `settled_via`.",
    needs: 'effects',
    send: genuinely('completed-mixed-checkout'),
    expect: [accepted, fulfilledOnce],
    ...wrongAmount,
  },
  'large-amount-to-the-last-digit': {
    spec: 'A completed payment MUST be fulfilled, once, in the mode that the receiver serves.',
    needs: 'effects',
    send: (kit) => inTurn(kit.delivery('completed', { amount: '9007199254740993.01' })),
    expect: [accepted, fulfilledOnce],
    impact: 'A large payment is credited with an amount that was rounded.',
    fix: 'Keep amounts as decimal text; do not turn them into floating-point numbers.',
  },
  'partial-is-not-credited': {
    spec: 'A partial payment MUST NOT be credited.',
    needs: 'effects',
    send: genuinely('partial-crypto', 'partial-gift-card'),
    expect: [accepted, nothingHandled],
    ...givenAway,
  },
  'expired-is-not-credited': {
    spec: 'An expired payment MUST NOT be credited.',
    needs: 'effects',
    send: genuinely('expired-gift-card'),
    expect: [accepted, nothingHandled],
    ...givenAway,
  },
  'failed-is-not-credited': {
    spec: 'A failed payment MUST NOT be credited.',
    needs: 'effects',
    send: genuinely('failed-card_declined', 'failed-underpayment'),
    expect: [accepted, nothingHandled],
    ...givenAway,
  },
  'refund-reverses': {
    spec: 'A refund or chargeback of a fulfilled payment MUST reverse it, once.',
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed')
      const refund = kit.delivery('refund', paymentOf(paid))
      return inTurn(paid, refund, refund)
    },
    expect: [accepted, fulfilledThenReversed],
    ...refundIgnored,
  },
  'chargeback-reverses': {
    spec: 'A refund or chargeback of a fulfilled payment MUST reverse it, once.',
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed')
      return inTurn(paid, kit.delivery('chargeback', paymentOf(paid)))
    },
    expect: [accepted, fulfilledThenReversed],
    ...refundIgnored,
  },
  'refund-and-chargeback-reverse-once': {
    spec: 'A refund or chargeback of a fulfilled payment MUST reverse it, once.',
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed')
      return inTurn(
        paid,
        kit.delivery('refund', paymentOf(paid)),
        kit.delivery('chargeback', paymentOf(paid)),
      )
    },
    expect: [accepted, fulfilledThenReversed],
    impact: 'The goods of one payment are taken back, or its money is booked as returned, twice.',
    fix: 'Reverse a payment under a key of its own, so that a second kind of refund finds it done.',
  },
  'refund-before-completion': {
    spec: 'A refund that arrives before its completion MUST leave nothing fulfilled in the end.',
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed')
      return inTurn(kit.delivery('refund', paymentOf(paid)), paid)
    },
    expect: [accepted, nothingLeftFulfilled],
    impact: 'A payment that was refunded is shipped all the same, since its events arrived in another order.',
    fix: 'Remember a refund whose completion has not come yet, and do not fulfil that completion.',
  },
  'unknown-event-has-no-effect': {
    spec: 'An event that a receiver does not know MUST NOT have an effect.',
    needs: 'effects',
    send: (kit) => inTurn(kit.delivery('completed', { event: 'payment.authorized' })),
    expect: [accepted, nothingHandled],
    impact: 'An event that the service adds later is taken for a payment.',
    fix: 'Decide by the exact event name; the default branch does nothing.',
  },
  'completion-after-partial': {
    spec: 'A partial payment MUST NOT keep the completion that follows it from being fulfilled.',
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed-by-crypto')
      return inTurn(kit.delivery('partial-crypto', { ...paymentOf(paid), amount_received: '0.01' }), paid)
    },
    expect: [accepted, fulfilledOnce],
    impact: 'A customer who paid in two steps gets nothing.',
    fix: 'Make the event a part of the key.',
  },
  'completion-after-failure': {
    spec: 'A completed payment MUST be fulfilled, once, in the mode that the receiver serves.',
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed')
      return inTurn(kit.delivery('failed-card_declined', paymentOf(paid)), paid)
    },
    expect: [accepted, fulfilledOnce],
    impact: 'A customer whose first card was declined, and whose second was not, gets nothing.',
    fix: 'Make the event a part of the key.',
  },
  'livemode-is-shown': {
    spec: 'An effect SHOULD show the `livemode` of its event, so that test and live are kept apart.',
    needs: 'effects',
    send: genuinely('completed'),
    expect: [accepted, livemodeShown],
    impact: 'Nobody can see whether test payments reach the live books.',
    fix: 'Keep `livemode` with each effect and show it.',
  },
})
