import { setTimeout as pause } from 'node:timers/promises'
import type { CaseId } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { CORRECT, type Effect, type Event, effect, idOf, nameOf, paymentOf, text } from '../behavior.ts'
import type { Variant } from '../mutant.ts'

const named = (event: Event, name: string) => nameOf(event) === `payment.${name}`
const has = (before: readonly Effect[], what: Effect['effect']) => before.some((one) => one.effect === what)
const refusing = (status: number, is: (event: Event) => boolean) => ({
  rejects: (event: Event) => (is(event) ? status : undefined),
})
/** U+0000, or half a surrogate pair. */
const isUnusual = (value: unknown) => text(value).includes('\u0000') || /\p{Surrogate}/u.test(text(value))
const hasUnusualText = (event: Event) => Object.values((event['metadata'] ?? {}) as Event).some(isUnusual)

const sequences: readonly CaseId[] = [
  'effects/every-sequence-from-completed',
  'effects/every-sequence-from-failed',
  'effects/every-sequence-from-partial',
  'effects/every-sequence-from-refunded',
  'effects/every-sequence-from-expired',
  'effects/refund-reverses-every-method',
  'effects/refund-before-completion',
  'effects/events-older-than-the-last-one',
  'effects/refund-while-the-completion-is-handled',
  'effects/refund-and-completion-at-once',
  'effects/refund-and-resent-completion-at-once',
  'effects/refund-delivered-twice-at-once',
]
/** Cases with events of one payment at the same time. */
const overlapping: readonly CaseId[] = [
  ...sequences,
  'duplicates/delivered-twice-at-once',
  'duplicates/delivered-20-times-at-once',
]
const amounts: readonly CaseId[] = [
  'effects/amounts-without-decimals',
  'effects/amounts-with-eight-decimals',
  'effects/short-payment-with-other-decimals',
]
const unusual: readonly CaseId[] = [
  'acknowledgement/nul-in-metadata-not-lost',
  'acknowledgement/long-payment-method-not-lost',
  'acknowledgement/payments-behind-unexpected-events',
]

/** Correct receivers, each with another way to keep the state of a payment or its amounts (SPEC.md 6 to 9). */
export const VARIANTS_OF_STATES: Readonly<Record<string, Variant>> = {
  'handles events in any order, and shows nothing for an early refund': {
    related: sequences,
    does: () => {
      const refunded = new Set<string>()
      return {
        schedule: (work) => void setTimeout(work, Math.random() * 600),
        effectOf(event, before) {
          if (named(event, 'refunded')) refunded.add(paymentOf(event))
          if (named(event, 'completed') && refunded.has(paymentOf(event))) return undefined
          return before.length === 0 && named(event, 'refunded') ? undefined : CORRECT.effectOf(event, before)
        },
      }
    },
  },
  'handles the latest event of a batch first': {
    related: sequences,
    does: () => ({ schedule: latestFirst() }),
  },
  'recognizes a redelivery by the payment and the name of the event': {
    related: sequences,
    does: () => ({ keyOf: (event) => `${idOf(event)} ${nameOf(event)}` }),
  },
  'recognizes a redelivery by the state of the payment': {
    related: sequences,
    does: () => ({
      keyOf: () => String(Math.random()),
      effectOf(event, before) {
        if (named(event, 'refunded')) return has(before, 'reversed') ? undefined : effect(event, 'reversed')
        return named(event, 'completed') && before.length === 0 ? effect(event, 'fulfilled') : undefined
      },
    }),
  },
  'regards an expired payment as closed': {
    related: sequences,
    does: () => {
      const expired = new Set<string>()
      return {
        effectOf(event, before) {
          if (named(event, 'expired')) expired.add(paymentOf(event))
          return expired.has(paymentOf(event)) && !has(before, 'fulfilled')
            ? undefined
            : CORRECT.effectOf(event, before)
        },
      }
    },
    warning: ['effects/completion-after-expiry'],
  },
  'shows a reversal without its amount': {
    related: [...sequences, 'effects/mixed-checkout-reversed-in-own-currency'],
    does: () => ({
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return done?.effect === 'reversed' ? { ...done, amount: '0' } : done
      },
    }),
  },
  'shows every amount with eight decimals': {
    related: amounts,
    does: () => ({
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        if (done === undefined) return undefined
        const [whole, fraction = ''] = done.amount.split('.')
        return { ...done, amount: `${whole}.${fraction.padEnd(8, '0')}` }
      },
    }),
  },
  'answers 409 while it handles another event of the payment': {
    related: overlapping,
    does: () => {
      const busy = new Set<string>()
      return {
        rejects(event) {
          if (busy.has(idOf(event))) return 409
          busy.add(idOf(event))
          return undefined
        },
        async acknowledge(event, response) {
          await pause(15)
          busy.delete(idOf(event))
          response.writeHead(200).end()
        },
      }
    },
  },
  'handles the events of a payment one after another, after the acknowledgment': {
    related: overlapping,
    does: () => ({}),
    setting: { effectAfterMs: 120 },
  },
  'ignores simulated payments': {
    related: ['effects/simulated-and-sparse-is-fulfilled', 'effects/simulated-failure-is-not-credited'],
    does: () => ({ keeps: (event) => event['test'] !== true }),
  },
  'refuses text that its store cannot keep': {
    related: unusual,
    does: () => refusing(422, (event) => hasUnusualText(event) || isLong(event)),
    warning: [
      'acknowledgement/nul-in-metadata-accepted',
      'acknowledgement/lone-surrogate-in-metadata-accepted',
      'acknowledgement/long-payment-method-accepted',
    ],
  },
  'answers 503 to what its store cannot keep': {
    related: unusual,
    does: () => refusing(503, hasUnusualText),
    warning: [
      'acknowledgement/nul-in-metadata-accepted',
      'acknowledgement/lone-surrogate-in-metadata-accepted',
    ],
  },
  'sets events aside that it cannot handle': {
    related: unusual,
    does: () => ({
      schedule(work) {
        try {
          work()
        } catch {
          // Set aside, for a person to look at.
        }
      },
      effectOf(event, before) {
        const isUnknown = named(event, 'refunded') && !/^(refund|chargeback)$/.test(text(event['type']))
        if (isUnknown) throw new Error('unknown type of refund')
        return CORRECT.effectOf(event, before)
      },
    }),
  },
}

const isLong = (event: Event) => text(event['payment_method']).length > 255

/** Handles what arrives within a moment together, the latest first. */
function latestFirst(): typeof CORRECT.schedule {
  let batch: (() => void)[] = []
  return (work) => {
    batch.push(work)
    if (batch.length > 1) return
    setTimeout(() => {
      const works = batch.toReversed()
      batch = []
      for (const each of works) each()
    }, 60)
  }
}
