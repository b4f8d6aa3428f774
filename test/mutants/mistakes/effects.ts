import { CORRECT, effect, idOf, nameOf, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const fulfillFor = (amount: string, currency: string) => ({
  ...effect({}, 'fulfilled'),
  event: 'payment.completed',
  amount,
  currency,
})

/** Mistakes in the effects of an accepted event (SPEC.md 9). */
export const OF_EFFECTS: Readonly<Record<string, Mutant>> = {
  'credits amount_requested': {
    does: {
      effectOf: (event, before) =>
        CORRECT.effectOf({ ...event, amount: event['amount_requested'] ?? event['amount'] }, before),
    },
    cause: 'amount_requested_credited',
    fails: ['effects/short-payment-for-amount', 'effects/short-gift-card-for-amount'],
  },
  'credits the settled amount': {
    does: {
      effectOf(event, before) {
        const settled = event['settled_via'] as Record<string, unknown> | undefined
        return CORRECT.effectOf({ ...event, ...settled }, before)
      },
    },
    cause: 'settled_via_credited',
    fails: ['effects/mixed-checkout-in-own-currency'],
  },
  'credits partial payments': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.partial'
          ? fulfillFor(text(event['amount_received']), text(event['currency']))
          : CORRECT.effectOf(event, before),
    },
    cause: 'partial_credited',
    fails: ['effects/partial-is-not-credited', 'effects/completion-after-partial'],
    source: 'https://github.com/btcpayserver-tether/BTCPayServer.Plugins.USDt/issues/13',
  },
  'credits a partial that covers the amount, and compares them as text': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.partial' && text(event['amount_received']) >= text(event['amount'])
          ? effect(event, 'fulfilled')
          : CORRECT.effectOf(event, before),
    },
    fails: ['effects/almost-paid-is-not-credited'],
  },
  'credits a partial that covers the amount, to the nearest unit': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.partial' &&
        Math.round(Number(event['amount_received'])) >= Math.round(Number(event['amount']))
          ? effect(event, 'fulfilled')
          : CORRECT.effectOf(event, before),
    },
    fails: ['effects/almost-paid-is-not-credited'],
  },
  'credits expired payments': {
    does: {
      effectOf: (event, before) =>
        CORRECT.effectOf(
          nameOf(event) === 'payment.expired' ? { ...event, event: 'payment.completed' } : event,
          before,
        ),
    },
    cause: 'expired_credited',
    fails: ['effects/expired-is-not-credited'],
  },
  'decides by the status': {
    does: {
      effectOf: (event, before) =>
        event['status'] === 'completed' ? effect(event, 'fulfilled') : CORRECT.effectOf(event, before),
    },
    cause: 'status_decides',
    fails: ['effects/unknown-event-with-status-completed'],
  },
  'ignores refunds': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.refunded' ? undefined : CORRECT.effectOf(event, before),
    },
    cause: 'refunds_ignored',
    fails: ['effects/refund-reverses', 'effects/chargeback-reverses', 'duplicates/refund-after-completion'],
  },
  'ignores chargebacks': {
    does: {
      effectOf: (event, before) =>
        event['type'] === 'chargeback' ? undefined : CORRECT.effectOf(event, before),
    },
    cause: 'refunds_ignored',
    fails: ['effects/chargeback-reverses'],
  },
  'forgets a refund that arrives early': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.refunded' && before.length === 0
          ? undefined
          : CORRECT.effectOf(event, before),
    },
    cause: 'early_refund_forgotten',
    fails: ['effects/refund-before-completion'],
    source: 'https://github.com/gobitfly/eth2-beaconchain-explorer/pull/3123',
  },
  'reverses for each kind of refund': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.refunded' ? effect(event, 'reversed') : CORRECT.effectOf(event, before),
    },
    fails: ['effects/refund-and-chargeback-reverse-once'],
  },
  'keeps amounts as floating-point numbers': {
    does: {
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return done && { ...done, amount: String(Number(done.amount)) }
      },
    },
    cause: 'amount_rounded',
    fails: ['effects/large-amount-to-the-last-digit'],
  },
  'cuts amounts off after it has multiplied them into cents': {
    dependsOnData: true,
    does: {
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return done && { ...done, amount: (Math.trunc(Number(done.amount) * 100) / 100).toFixed(2) }
      },
    },
    cause: 'amount_rounded',
    fails: ['effects/large-amount-to-the-last-digit', 'effects/amounts-inexact-in-floating-point'],
  },
  'rounds amounts to cents': {
    dependsOnData: true,
    does: {
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return (
          done && { ...done, amount: (Math.round(Number.parseFloat(done.amount) * 100) / 100).toFixed(2) }
        )
      },
    },
    cause: 'amount_rounded',
    fails: ['effects/large-amount-to-the-last-digit', 'effects/amounts-with-eighteen-decimals'],
  },
  'ships after the refund': {
    does: { effectOf: (event) => CORRECT.effectOf(event, []) },
    cause: 'early_refund_forgotten',
    fails: ['effects/refund-before-completion'],
  },
  'ships after the refund, and recognizes a redelivery by the payment and the name': {
    does: {
      keyOf: (event) => `${idOf(event)} ${nameOf(event)}`,
      effectOf: (event, before) =>
        nameOf(event) === 'payment.completed' ? effect(event, 'fulfilled') : CORRECT.effectOf(event, before),
    },
    cause: 'early_refund_forgotten',
    fails: ['effects/refund-before-completion', 'effects/chargeback-before-completion'],
  },
  'reverses on a failure': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.failed' ? effect(event, 'reversed') : CORRECT.effectOf(event, before),
    },
    fails: ['effects/failed-is-not-credited'],
  },
  'shows every payment as live': {
    does: {
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return done && { ...done, livemode: true }
      },
    },
    fails: ['effects/livemode-is-shown'],
    mode: 'test',
  },
}
