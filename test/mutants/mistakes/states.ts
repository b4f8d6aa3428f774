import { CORRECT, type Effect, type Event, effect, idOf, nameOf, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const named = (event: Event, name: string) => nameOf(event) === `payment.${name}`
const wasFulfilled = (before: readonly Effect[]) => before.some((one) => one.effect === 'fulfilled')

/** Takes the fulfillment back when a late event of this name arrives. */
const undoneBy = (name: string): Mutant => ({
  does: {
    effectOf: (event, before) =>
      named(event, name) && wasFulfilled(before)
        ? effect(event, 'reversed')
        : CORRECT.effectOf(event, before),
  },
  cause: 'late_event_overwrites',
  fails: ['effects/every-sequence-from-completed'],
})

/** Books no refund once an event of this name has followed the completion. */
const closedBy = (name: string): Mutant => ({
  does: () => {
    const closed = new Set<string>()
    return {
      effectOf(event, before) {
        if (named(event, name) && wasFulfilled(before)) closed.add(idOf(event))
        return closed.has(idOf(event)) ? undefined : CORRECT.effectOf(event, before)
      },
    }
  },
  cause: 'late_event_overwrites',
  fails: ['effects/every-sequence-from-completed'],
})

/** Forgets what it handled of a payment when an event of this name arrives. */
const forgetsAfter = (name: string, effectOf: typeof CORRECT.effectOf): Mutant['does'] => {
  return () => {
    const times = new Map<string, number>()
    return {
      keyOf(event, body, header) {
        const id = idOf(event)
        if (named(event, name)) times.set(id, (times.get(id) ?? 0) + 1)
        return `${CORRECT.keyOf(event, body, header)} ${named(event, 'completed') ? times.get(id) : ''}`
      },
      effectOf,
    }
  }
}

/** Mistakes in the states of a payment, which show in some orders of its events (SPEC.md 9.4 to 9.14). */
export const OF_STATES: Readonly<Record<string, Mutant>> = {
  'takes a payment back when a late failure arrives': undoneBy('failed'),
  'takes a payment back when a late expiry arrives': undoneBy('expired'),
  'takes a payment back when a late partial payment arrives': undoneBy('partial'),
  'books no refund after a late failure': closedBy('failed'),
  'books no refund after a late expiry': closedBy('expired'),
  'books no refund after a late partial payment': closedBy('partial'),
  'fulfills again when the completion follows a failure': {
    does: forgetsAfter('failed', CORRECT.effectOf),
    fails: ['effects/every-sequence-from-completed'],
  },
  'fulfills again when the completion follows its refund': {
    does: forgetsAfter('refunded', (event, before) =>
      named(event, 'completed') ? effect(event, 'fulfilled') : CORRECT.effectOf(event, before),
    ),
    cause: 'refund_forgotten',
    fails: ['effects/every-sequence-from-completed', 'effects/every-sequence-from-refunded'],
  },
  'fulfills when the partial payments add up': {
    does: () => {
      const sums = new Map<string, number>()
      return {
        effectOf(event, before) {
          if (!named(event, 'partial')) return CORRECT.effectOf(event, before)
          const sum = (sums.get(idOf(event)) ?? 0) + Number(text(event['amount_received'])) * 100
          sums.set(idOf(event), sum)
          const isPaid = Math.round(sum) >= Math.round(Number(event['amount']) * 100)
          return isPaid && !wasFulfilled(before) ? effect(event, 'fulfilled') : undefined
        },
      }
    },
    fails: ['effects/every-sequence-from-partial'],
  },
  'ships a refunded payment that was partly paid before': {
    does: () => {
      const partly = new Set<string>()
      return {
        effectOf(event, before) {
          if (named(event, 'partial')) partly.add(idOf(event))
          return named(event, 'completed') && partly.has(idOf(event)) && !wasFulfilled(before)
            ? effect(event, 'fulfilled')
            : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['effects/every-sequence-from-partial', 'effects/every-sequence-from-refunded'],
  },
  'books no refund of a payment that failed before': {
    does: () => {
      const failed = new Set<string>()
      return {
        effectOf(event, before) {
          if (named(event, 'failed')) failed.add(idOf(event))
          const ignored = named(event, 'refunded') && failed.has(idOf(event))
          return ignored ? undefined : CORRECT.effectOf(event, before)
        },
      }
    },
    cause: 'refunds_ignored',
    fails: ['effects/every-sequence-from-failed', 'effects/every-sequence-from-completed'],
  },
  'ships a refunded payment when its completion follows a failure': {
    does: () => {
      const failed = new Set<string>()
      return {
        effectOf(event, before) {
          if (named(event, 'failed')) failed.add(idOf(event))
          return named(event, 'completed') && failed.has(idOf(event)) && !wasFulfilled(before)
            ? effect(event, 'fulfilled')
            : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['effects/every-sequence-from-failed', 'effects/every-sequence-from-refunded'],
  },
  'credits the rest when a partly paid payment expires': {
    does: () => {
      const partly = new Set<string>()
      return {
        effectOf(event, before) {
          if (named(event, 'partial')) partly.add(idOf(event))
          return named(event, 'expired') && partly.has(idOf(event)) && before.length === 0
            ? effect({ ...event, amount: event['amount_received'] }, 'fulfilled')
            : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['effects/every-sequence-from-partial'],
  },
  'reverses an expired payment that a failure follows': {
    does: () => {
      const expired = new Set<string>()
      return {
        effectOf(event, before) {
          if (named(event, 'expired')) expired.add(idOf(event))
          return named(event, 'failed') && expired.has(idOf(event))
            ? effect(event, 'reversed')
            : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['effects/every-sequence-from-expired'],
  },
  'closes an expired payment': {
    does: () => {
      const expired = new Set<string>()
      return {
        effectOf(event, before) {
          if (named(event, 'expired')) expired.add(idOf(event))
          return expired.has(idOf(event)) && !wasFulfilled(before)
            ? undefined
            : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['effects/completion-after-expiry'],
  },
  'reverses card payments only': {
    does: {
      effectOf: (event, before) =>
        named(event, 'refunded') && event['payment_method'] !== 'card'
          ? undefined
          : CORRECT.effectOf(event, before),
    },
    fails: ['effects/refund-reverses-every-method'],
  },
  'does not reverse Telegram Stars': {
    does: {
      effectOf: (event, before) =>
        named(event, 'refunded') && event['payment_method'] === 'telegram_stars'
          ? undefined
          : CORRECT.effectOf(event, before),
    },
    fails: ['effects/refund-reverses-every-method'],
  },
}
