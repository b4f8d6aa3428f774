import { setTimeout as pause } from 'node:timers/promises'
import { CORRECT, type Event, effect, idOf, nameOf, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const refusing = (is: (event: Event) => boolean) => ({
  rejects: (event: Event) => (is(event) ? 422 : undefined),
})
const named = (event: Event, name: string) => nameOf(event) === `payment.${name}`

/** Mistakes with some kinds of events (SPEC.md 7 to 10). */
export const OF_EVENTS: Readonly<Record<string, Mutant>> = {
  // Duplicates
  'answers 409 to a redelivery': {
    does: () => {
      const accepted = new Set<string>()
      return {
        rejects(event) {
          const key = `${idOf(event)} ${nameOf(event)}`
          if (accepted.has(key)) return 409
          accepted.add(key)
          return undefined
        },
      }
    },
    cause: 'redelivery_refused',
    fails: ['duplicates/acknowledged-again', 'duplicates/growing-partials', 'duplicates/signed-again'],
  },
  'stores the 409 for a copy as the answer to the event': {
    does: () => {
      const [handled, refused] = [new Set<string>(), new Set<string>()]
      return {
        rejects(event) {
          const key = `${idOf(event)} ${nameOf(event)}`
          if (refused.has(key)) return 409
          if (handled.has(key)) {
            refused.add(key)
            return 409
          }
          handled.add(key)
          return undefined
        },
        async acknowledge(event, response) {
          await pause(20)
          handled.delete(`${idOf(event)} ${nameOf(event)}`)
          CORRECT.acknowledge(event, response)
        },
      }
    },
    timed: true,
    fails: ['duplicates/acknowledged-after-copies-at-once'],
  },
  'remembers only the last payment': {
    does: { remembers: 1 },
    fails: ['duplicates/after-other-payments'],
    timed: true,
  },
  'records the key before the body is complete': {
    does: {
      onAbort(body, seen) {
        const [, id] = /"payment_id":"([^"]+)"/.exec(body.toString()) ?? []
        const event = {
          id: id ?? '',
          event: 'payment.completed',
          livemode: /"livemode":true/.test(body.toString()),
        }
        if (id !== undefined) seen.add(`${CORRECT.modeOf(event)}${CORRECT.keyOf(event, body, '')}`)
      },
    },
    fails: ['duplicates/broken-off-first'],
    timed: true,
  },

  // Events
  'keeps the lock of a payment after a refund of another amount': {
    does: () => {
      const amounts = new Map<string, string>()
      const locked = new Set<string>()
      return {
        rejects(event) {
          const [id, amount] = [idOf(event), text(event['amount'])]
          if (locked.has(id)) return 503
          if (named(event, 'completed')) amounts.set(id, amount)
          if (named(event, 'refunded') && (amounts.get(id) ?? amount) !== amount) locked.add(id)
          return undefined
        },
      }
    },
    fails: ['events/refund-of-another-amount'],
  },
  'accepts only completions': {
    does: refusing((event) => !named(event, 'completed')),
    cause: 'event_refused',
    fails: [
      'events/failed',
      'events/partial',
      'events/refunded',
      'events/expired',
      'acknowledgement/nothing-to-do',
    ],
  },
  'accepts only completions and failures': {
    does: refusing((event) => !named(event, 'completed') && !named(event, 'failed')),
    cause: 'event_refused',
    fails: ['events/partial', 'events/refunded', 'events/expired'],
  },
  'refuses partial payments': {
    does: refusing((event) => named(event, 'partial')),
    cause: 'event_refused',
    fails: ['events/partial', 'effects/partial-is-not-credited', 'duplicates/growing-partials'],
  },
  'refuses expired payments': {
    does: refusing((event) => named(event, 'expired')),
    cause: 'event_refused',
    fails: ['events/expired', 'effects/expired-is-not-credited'],
  },
  'refuses voluntary refunds': {
    does: refusing((event) => event['type'] === 'refund'),
    cause: 'event_refused',
    fails: ['events/voluntary-refund', 'events/refunded', 'effects/refund-reverses'],
  },
  'refuses chargebacks': {
    does: refusing((event) => event['type'] === 'chargeback'),
    cause: 'event_refused',
    fails: ['events/chargeback', 'effects/chargeback-reverses'],
  },
  'knows only the failure codes of last year': {
    does: refusing((event) => event['failure_code'] === 'currency_unsupported'),
    fails: ['events/every-failure-code'],
  },
  'refuses an amount other than the one requested': {
    does: refusing(({ amount, amount_requested }) => (amount_requested ?? amount) !== amount),
    cause: 'event_refused',
    fails: ['events/short-payment', 'effects/short-payment-for-amount'],
  },
  'refuses payments settled in another currency': {
    does: refusing(({ settled_via }) => settled_via !== undefined),
    cause: 'event_refused',
    fails: ['events/mixed-checkout', 'effects/mixed-checkout-in-own-currency'],
  },
  'requires metadata': {
    does: refusing(({ metadata }) => Object.keys(metadata ?? {}).length === 0),
    cause: 'event_refused',
    fails: ['events/empty-metadata'],
  },
  'refuses simulated events': {
    does: refusing((event) => event['test'] === true),
    cause: 'event_refused',
    fails: ['events/simulated', 'events/simulated-and-sparse'],
  },
  'requires livemode': {
    does: refusing((event) => typeof event['livemode'] !== 'boolean'),
    fails: ['events/without-livemode'],
    cause: 'event_refused',
    mode: 'live',
  },

  // Robustness
  'accepts anything but null as an event': {
    does: { isEvent: (value): value is Event => value !== null },
    fails: ['robustness/not-an-event-is-refused'],
  },
  'checks that fields exist, but not their types': {
    does: {
      isEvent: (value): value is Event => {
        const { event, id, payment_id = id } = Object(value) as Event
        return (event ?? (Object(value) as Event)['test']) !== undefined && payment_id !== undefined
      },
    },
    fails: ['robustness/not-an-event-is-refused', 'robustness/no-payment-id-is-refused'],
  },
  'crashes on an event without a name': {
    does: {
      isEvent: (value): value is Event => CORRECT.isEvent(value) && (value['event'] as string).length > 0,
      status: ({ code, message }) => (message === 'not an event' ? 500 : code),
    },
    cause: 'error_not_caught',
    fails: ['robustness/json-null', 'robustness/ids-missing', 'events/simulated-without-event'],
  },

  // Effects
  'stores events and never processes them': {
    does: { effectOf: () => undefined },
    cause: 'no_effects',
    fails: ['effects/completed-is-fulfilled', 'effects/every-method-is-fulfilled'],
  },
  'credits cents': {
    does: {
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return done && { ...done, amount: done.amount.replace('.', '') }
      },
    },
    cause: 'amount_in_minor_units',
    fails: ['effects/completed-is-fulfilled', 'duplicates/delivered-twice-in-turn'],
  },
  'writes currencies in lowercase': {
    does: {
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return done && { ...done, currency: done.currency.toLowerCase() }
      },
    },
    cause: 'currency_rewritten',
    fails: ['effects/completed-is-fulfilled', 'effects/mixed-checkout-in-own-currency'],
  },
  'fulfills only some payment methods': {
    does: {
      effectOf: (event, before) =>
        ['crypto', 'gift_card'].includes(text(event['payment_method']))
          ? undefined
          : CORRECT.effectOf(event, before),
    },
    fails: ['effects/every-method-is-fulfilled', 'effects/completion-after-partial'],
  },
  'takes a gift card under 2 dollars for one that expires': {
    does: {
      effectOf: (event, before) =>
        event['payment_method'] === 'gift_card' && Number(event['amount']) < 2 && named(event, 'completed')
          ? undefined
          : CORRECT.effectOf(event, before),
    },
    fails: [
      'effects/every-sequence-from-completed',
      'effects/every-sequence-from-failed',
      'effects/every-sequence-from-partial',
    ],
  },
  'credits failed payments': {
    does: {
      effectOf: (event, before) =>
        named(event, 'failed') ? effect(event, 'fulfilled') : CORRECT.effectOf(event, before),
    },
    cause: 'failed_credited',
    fails: ['effects/failed-is-not-credited', 'effects/completion-after-failure'],
    source: 'https://github.com/saleor/saleor/issues/6428',
  },
  'closes a failed payment': {
    does: () => closing('failed'),
    cause: 'payment_closed',
    fails: ['effects/completion-after-failure'],
  },
  'closes a partly paid payment': {
    does: () => closing('partial'),
    cause: 'payment_closed',
    fails: ['effects/completion-after-partial'],
  },
}

/** Fulfills nothing for a payment that had this event before. */
function closing(name: string): Pick<typeof CORRECT, 'effectOf'> {
  const closed = new Set<string>()
  return {
    effectOf(event, before) {
      if (named(event, name)) closed.add(idOf(event))
      return closed.has(idOf(event)) ? undefined : CORRECT.effectOf(event, before)
    },
  }
}
