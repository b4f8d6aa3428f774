import { CORRECT, type Effect, type Event, effect, idOf, nameOf, text } from '../../behavior.ts'
import type { Mutant } from '../../mutant.ts'

const named = (event: Event, name: string) => nameOf(event) === `payment.${name}`
const has = (before: readonly Effect[], what: Effect['effect']) => before.some((one) => one.effect === what)
const emittedAt = (event: Event) => Date.parse(text(event['timestamp']))
const monthOf = (event: Event) => text(event['timestamp']).slice(0, 7)

/** Drops the completion of a payment because of an event that arrived before. */
const closedBy = (closes: (earlier: Event, completed: Event) => boolean): Mutant['does'] => {
  return () => {
    const earlier = new Map<string, Event[]>()
    return {
      effectOf(event, before) {
        const events = earlier.get(idOf(event)) ?? []
        earlier.set(idOf(event), [...events, event])
        const isClosed = named(event, 'completed') && events.some((other) => closes(other, event))
        return isClosed ? undefined : CORRECT.effectOf(event, before)
      },
    }
  }
}
/** Ignores a refund whose timestamp is less than that of the completion that was fulfilled. */
const refundsAfter = (timeOf: (event: Event) => number | string): Mutant['does'] => {
  return () => {
    const fulfilledAt = new Map<string, number | string>()
    return {
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        if (done?.effect === 'fulfilled') fulfilledAt.set(idOf(event), timeOf(event))
        const at = fulfilledAt.get(idOf(event))
        return done?.effect === 'reversed' && at !== undefined && timeOf(event) < at ? undefined : done
      },
    }
  }
}
const failedWith = (code: string) => (event: Event) => event['failure_code'] === code
const DAY_MS = 24 * 60 * 60 * 1000

/** Mistakes about what happened to a payment before, and when (SPEC.md 7.4, 9.1, 9.6, 9.10 and 9.12). */
export const OF_HISTORY: Readonly<Record<string, Mutant>> = {
  'drops an event that was emitted before the last one of its payment': {
    does: () => {
      const last = new Map<string, number>()
      return {
        keeps(event) {
          const at = emittedAt(event)
          if (at < (last.get(idOf(event)) ?? 0)) return false
          last.set(idOf(event), at)
          return true
        },
      }
    },
    fails: ['effects/events-older-than-the-last-one'],
  },
  'drops an event that is not newer than the last one of its payment': {
    does: () => {
      const last = new Map<string, number>()
      return {
        keeps(event) {
          const at = emittedAt(event)
          if (at <= (last.get(idOf(event)) ?? 0)) return false
          last.set(idOf(event), at)
          return true
        },
      }
    },
    cause: 'older_events_skipped',
    fails: ['effects/refund-reverses'],
  },
  'fulfills again a completion that was emitted after its refund': {
    does: () => {
      const refundedAt = new Map<string, number>()
      return {
        keyOf: (event) => `${CORRECT.keyOf(event, Buffer.alloc(0), '')} ${text(event['timestamp'])}`,
        effectOf(event, before) {
          if (named(event, 'refunded')) refundedAt.set(idOf(event), emittedAt(event))
          const isNewer = emittedAt(event) > (refundedAt.get(idOf(event)) ?? Number.POSITIVE_INFINITY)
          if (named(event, 'completed') && has(before, 'fulfilled'))
            return isNewer && before.at(-1)?.effect === 'reversed' ? effect(event, 'fulfilled') : undefined
          return CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['effects/events-older-than-the-last-one'],
  },
  'fulfills a completion that was emitted after a refund which came first': {
    does: () => {
      const refundedAt = new Map<string, number>()
      return {
        effectOf(event, before) {
          if (named(event, 'refunded') && before.length === 0) refundedAt.set(idOf(event), emittedAt(event))
          const isNewer = emittedAt(event) > (refundedAt.get(idOf(event)) ?? Number.POSITIVE_INFINITY)
          return named(event, 'completed') && isNewer && !has(before, 'fulfilled')
            ? effect(event, 'fulfilled')
            : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['effects/events-older-than-the-last-one'],
  },
  'ignores a refund that was emitted before the completion which it fulfilled': {
    does: refundsAfter((event) => emittedAt(event)),
    fails: ['effects/refund-with-its-timestamp-written-differently'],
  },
  'compares the timestamps of a refund and its completion without their offsets': {
    does: refundsAfter((event) => Date.parse(`${text(event['timestamp']).slice(0, 19)}Z`)),
    fails: ['effects/refund-with-its-timestamp-written-differently'],
  },
  'compares the timestamps of a refund and its completion as texts': {
    does: refundsAfter((event) => text(event['timestamp'])),
    fails: ['effects/refund-with-its-timestamp-written-differently'],
  },
  'recognizes a redelivery only in the same month': {
    does: { keyOf: (event, body, header) => `${CORRECT.keyOf(event, body, header)} ${monthOf(event)}` },
    fails: ['duplicates/with-timestamps-of-other-months'],
  },
  'recognizes the redelivery of a refund only in the same month': {
    does: {
      keyOf: (event, body, header) =>
        `${CORRECT.keyOf(event, body, header)} ${named(event, 'refunded') ? monthOf(event) : ''}`,
      effectOf: (event, before) =>
        named(event, 'refunded') ? effect(event, 'reversed') : CORRECT.effectOf(event, before),
    },
    fails: ['effects/refund-resent-long-after'],
  },

  // Failed attempts and partial payments
  'closes an order whose invoice expired': {
    does: closedBy(failedWith('invoice_expired')),
    fails: ['effects/completion-after-every-failure'],
  },
  'closes an order that the customer canceled': {
    does: closedBy(failedWith('cancelled_by_customer')),
    fails: ['effects/completion-after-every-failure'],
  },
  'drops a completion by another method than the failed attempt': {
    does: closedBy(
      (earlier, completed) =>
        named(earlier, 'failed') && earlier['payment_method'] !== completed['payment_method'],
    ),
    fails: ['effects/completion-after-every-failure'],
  },
  'closes a partly paid order after a day': {
    does: closedBy(
      (earlier, completed) => named(earlier, 'partial') && emittedAt(completed) - emittedAt(earlier) > DAY_MS,
    ),
    fails: ['effects/completion-a-day-after-partial'],
  },
  'drops a completion for another amount than the partial payment names': {
    does: closedBy(
      (earlier, completed) => named(earlier, 'partial') && earlier['amount'] !== completed['amount'],
    ),
    fails: ['effects/completion-a-day-after-partial'],
  },
  'reverses a payment when the invoice of an earlier attempt expires': {
    does: {
      effectOf: (event, before) =>
        failedWith('invoice_expired')(event) && has(before, 'fulfilled') && !has(before, 'reversed')
          ? effect(event, 'reversed')
          : CORRECT.effectOf(event, before),
    },
    fails: ['effects/every-failure-after-completion'],
  },
  'ignores the refund of a payment whose invoice expired': {
    does: () => {
      const expired = new Set<string>()
      return {
        effectOf(event, before) {
          if (failedWith('invoice_expired')(event)) expired.add(idOf(event))
          return named(event, 'refunded') && expired.has(idOf(event))
            ? undefined
            : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['effects/every-failure-after-completion'],
  },

  // The test checkout
  'records a payment without payment_id under no id': {
    does: {
      parse(body) {
        const event = CORRECT.parse(body)
        const isSparse = typeof event === 'object' && event !== null && !('payment_id' in event)
        return isSparse && 'id' in event ? { ...event, payment_id: 'undefined' } : event
      },
    },
    mode: 'test',
    fails: ['effects/simulated-and-sparse-is-fulfilled'],
  },
  'sets payments without a method aside': {
    does: {
      effectOf: (event, before) => ('payment_method' in event ? CORRECT.effectOf(event, before) : undefined),
    },
    mode: 'test',
    fails: ['effects/simulated-and-sparse-is-fulfilled'],
  },
  'credits whatever the test checkout simulates': {
    does: {
      effectOf: (event, before) =>
        event['test'] === true ? effect(event, 'fulfilled') : CORRECT.effectOf(event, before),
    },
    mode: 'test',
    fails: ['effects/simulated-failure-is-not-credited'],
  },
}
