import { CORRECT, type Event, idOf, nameOf, text } from '../../behavior.ts'
import type { Mutant } from '../../mutant.ts'

const named = (event: Event, name: string) => nameOf(event) === `payment.${name}`
const orderOf = (event: Event) => text((event['metadata'] as Event | undefined)?.['order'])
const settledOf = (event: Event) => (event['settled_via'] ?? {}) as Event
const ignoring = (isIgnored: (refund: Event) => boolean): Mutant['does'] => ({
  effectOf: (event, before) =>
    named(event, 'refunded') && isIgnored(event) ? undefined : CORRECT.effectOf(event, before),
})

/** Forgets an early refund after a time. */
const remembering =
  (ms: number): Mutant['does'] =>
  () => {
    const early = new Map<string, number>()
    return {
      effectOf(event, before) {
        const until = early.get(idOf(event)) ?? 0
        if (named(event, 'completed') && performance.now() < until) return undefined
        if (!named(event, 'refunded') || before.length > 0) return CORRECT.effectOf(event, before)
        early.set(idOf(event), performance.now() + ms)
        return undefined
      },
    }
  }

/** Mistakes in finding what a refund reverses (SPEC.md 7.8, 9.7, 9.8 and 9.17). */
export const OF_REFUNDS: Readonly<Record<string, Mutant>> = {
  'takes the refund of a short payment for a partial refund': {
    does: () => {
      const requested = new Map<string, unknown>()
      return {
        effectOf(event, before) {
          if ('amount_requested' in event) requested.set(idOf(event), event['amount_requested'])
          const isPartial = (requested.get(idOf(event)) ?? event['amount']) !== event['amount']
          return named(event, 'refunded') && isPartial ? undefined : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['effects/refund-of-a-short-payment'],
  },
  'finds the payment of a refund by the text of its amount, too': {
    does: {
      effectOf(event, before) {
        const isPaid = before.some(
          ({ effect, amount }) => effect === 'fulfilled' && amount === event['amount'],
        )
        if (named(event, 'refunded') && before.length > 0 && !isPaid) return undefined
        return CORRECT.effectOf(event, before)
      },
    },
    fails: ['effects/refund-with-its-amount-written-differently'],
  },
  'ignores a refund that was settled for another amount': {
    does: ignoring((refund) => (settledOf(refund)['amount'] ?? refund['amount']) !== refund['amount']),
    fails: ['effects/refund-of-a-mixed-checkout'],
  },
  'records a reversal for the settled amount': {
    does: {
      effectOf(event, before) {
        const { amount, currency } = settledOf(event)
        const done = CORRECT.effectOf(event, before)
        if (done?.effect !== 'reversed') return done
        return {
          ...done,
          amount: text(amount ?? event['amount']),
          currency: text(currency ?? event['currency']),
        }
      },
    },
    fails: ['effects/mixed-checkout-reversed-in-own-currency'],
  },
  'remembers only the last 100 early refunds': {
    does: () => {
      const early: string[] = []
      return {
        effectOf(event, before) {
          if (named(event, 'completed') && early.includes(idOf(event))) return undefined
          if (!named(event, 'refunded') || before.length > 0) return CORRECT.effectOf(event, before)
          early.push(idOf(event))
          if (early.length > 100) early.shift()
          return undefined
        },
      }
    },
    fails: ['effects/refund-long-before-completion'],
  },
  'remembers an early refund for four seconds': {
    slow: true,
    does: remembering(4_000),
    fails: ['effects/refund-seconds-before-completion'],
  },
  'remembers an early refund for 20 seconds': {
    slow: true,
    redeliverAfterMs: 21_000,
    does: remembering(20_000),
    fails: ['effects/refund-a-given-time-before-completion'],
  },
  'remembers an early refund by its order number': {
    does: () => {
      const early = new Set<string>()
      return {
        effectOf(event, before) {
          if (named(event, 'refunded') && before.length === 0) early.add(orderOf(event))
          return named(event, 'completed') && early.has(orderOf(event))
            ? undefined
            : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['duplicates/refund-of-one-of-two-similar-payments'],
    // Payments of other cases may have the same order number.
    dependsOnData: true,
  },
  'reverses the last payment with the same order number': {
    does: () => {
      const last = new Map<string, string>()
      return {
        parse(body) {
          const event = CORRECT.parse(body) as Event
          if (!CORRECT.isEvent(event)) return event
          if (named(event, 'completed')) last.set(orderOf(event), idOf(event))
          return named(event, 'refunded')
            ? { ...event, payment_id: last.get(orderOf(event)) ?? idOf(event) }
            : event
        },
      }
    },
    fails: ['duplicates/refund-of-one-of-two-similar-payments'],
  },
}
