import { randomUUID } from 'node:crypto'
import { CORRECT, type Event, effect, idOf, nameOf, text } from '../../behavior.ts'
import type { Mutant } from '../../mutant.ts'

const WINDOW_SECONDS = 300
const NO_BODY = Buffer.alloc(0)
const keyOf = (event: Event) => CORRECT.keyOf(event, NO_BODY, '')
const now = () => Math.floor(Date.now() / 1000)

/** Decides by a comparison of names that is not exact. */
const named = (isCompleted: (name: string) => boolean, isRefunded: (name: string) => boolean) =>
  ({
    effectOf(event, before) {
      const reversed = before.some((one) => one.effect === 'reversed')
      if (reversed) return undefined
      if (isRefunded(nameOf(event))) return effect(event, 'reversed')
      const isNew = before.length === 0
      return isCompleted(nameOf(event)) && isNew ? effect(event, 'fulfilled') : undefined
    },
  }) satisfies Mutant['does']
const hasQuote = (event: Event) => JSON.stringify(event['metadata'] ?? '').includes("'")
const is = (name: string) => (other: string) => other === name

/** Mistakes in what makes two events the same, or an event a known one (SPEC.md 3.2, 7.2, 7.4, 7.10, 9.9 and 9.16). */
export const OF_REDELIVERED: Readonly<Record<string, Mutant>> = {
  'remembers a payment until the signature expires': {
    timed: true,
    slow: true,
    does: () => {
      const known = new Map<string, { until: number; times: number }>()
      return {
        keyOf(event, _, header) {
          const key = keyOf(event)
          const { until = 0, times = 0 } = known.get(key) ?? {}
          const next = now() > until ? times + 1 : times
          known.set(key, { until: Number(/t=(\d+)/.exec(header)?.[1]) + WINDOW_SECONDS, times: next })
          return `${key} ${next}`
        },
      }
    },
    cause: 'deduplication_forgotten',
    fails: ['duplicates/after-its-signature-expired'],
  },
  'takes the position of its first payment for none': {
    does: () => {
      let first: string | undefined
      return {
        keyOf(event) {
          first ??= keyOf(event)
          return keyOf(event) === first ? randomUUID() : keyOf(event)
        },
      }
    },
    cause: 'first_not_recognized',
    fails: ['duplicates/first-of-the-run-again'],
  },
  'remembers that a t was inside the window': {
    slow: true,
    does: () => {
      const fresh = new Set<string>()
      return {
        inWindow(age, t) {
          if (Math.abs(age) <= WINDOW_SECONDS) fresh.add(t)
          return fresh.has(t)
        },
      }
    },
    cause: 'window_remembered',
    fails: ['time-window/stale-although-its-t-was-accepted-before'],
  },
  'reads the clock when it starts': {
    timed: true,
    slow: true,
    does: () => {
      const started = now()
      return { inWindow: (_, t) => Math.abs(started - Number(t)) <= WINDOW_SECONDS }
    },
    cause: 'clock_stands_still',
    fails: ['time-window/clock-advances'],
  },
  'takes the order of a payment for a redelivery': {
    does: {
      effectOf: (event, before) => (before.length > 0 ? undefined : CORRECT.effectOf(event, before)),
    },
    cause: 'deduplicated_by_payment_alone',
    fails: ['effects/refund-reverses', 'effects/chargeback-reverses'],
  },
  'recognizes a redelivery by all fields but the timestamp': {
    does: { keyOf: (event) => JSON.stringify({ ...event, timestamp: undefined }) },
    cause: 'deduplicated_by_body',
    fails: ['duplicates/with-other-fields'],
  },
  'recognizes a redelivery by the text of its amount, too': {
    does: {
      keyOf: (event) => `${keyOf(event)} ${text(event['amount'])}`,
      effectOf: (event, before) =>
        nameOf(event) === 'payment.refunded' ? effect(event, 'reversed') : CORRECT.effectOf(event, before),
    },
    fails: ['duplicates/with-other-fields', 'effects/refund-with-its-amount-written-differently'],
  },
  'looks for the id in the text of a body': {
    does: {
      keyOf: (event, body) => (/"payment_id":\s*"\w+"/.test(body.toString()) ? keyOf(event) : randomUUID()),
    },
    fails: ['duplicates/with-other-fields'],
  },
  'includes livemode in the key as it is': {
    mode: 'live',
    does: { keyOf: (event) => `${keyOf(event)} ${String(event['livemode'])}` },
    cause: 'deduplicated_by_livemode',
    fails: ['duplicates/with-and-without-livemode'],
  },
  'has a unique index that is NULL without a livemode': {
    mode: 'live',
    does: { keyOf: (event) => (typeof event['livemode'] === 'boolean' ? keyOf(event) : randomUUID()) },
    fails: ['duplicates/without-livemode-again', 'duplicates/with-null-as-livemode-again'],
  },
  'truncates payment ids to 32 characters': {
    does: { keyOf: (event) => keyOf({ ...event, payment_id: idOf(event).slice(0, 32) }) },
    fails: ['duplicates/long-payment-ids'],
  },
  'includes the status in the key instead of the event': {
    does: { keyOf: (event) => `${idOf(event)} ${text(event['status'])}` },
    fails: ['effects/partial-with-status-completed'],
  },
  'compares the end of the name of an event': {
    does: named(
      (name) => name.endsWith('.completed'),
      (name) => name.endsWith('.refunded'),
    ),
    cause: 'event_name_compared_partly',
    fails: ['effects/unknown-events-named-like-a-completion', 'effects/unknown-events-named-like-a-refund'],
  },
  'compares the beginning of the name of an event': {
    does: named(
      (name) => name.startsWith('payment.completed'),
      (name) => name.startsWith('payment.refunded'),
    ),
    cause: 'event_name_compared_partly',
    fails: ['effects/unknown-events-named-like-a-completion', 'effects/unknown-events-named-like-a-refund'],
  },
  'looks for a refund in the name of an event': {
    does: named(is('payment.completed'), (name) => name.includes('refund')),
    cause: 'event_name_compared_partly',
    fails: ['effects/unknown-events-named-like-a-refund'],
  },
  'records the payment of an unknown event as done': {
    does: () => {
      const done = new Set<string>()
      return {
        effectOf(event, before) {
          if (!/^payment\.(?:completed|failed|partial|refunded|expired)$/.test(nameOf(event)))
            done.add(idOf(event))
          return done.has(idOf(event)) ? undefined : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['effects/unknown-events-between-the-others'],
  },
  'puts the metadata into SQL as it is': {
    does: { rejects: (event) => (hasQuote(event) ? 500 : undefined) },
    fails: ['robustness/quotes-in-metadata'],
    // It also fails on JSON that is nested deeply.
    cause: 'error_not_caught',
  },
  'puts the metadata into SQL as it is, after the acknowledgment': {
    does: { keeps: (event) => !hasQuote(event) },
    fails: ['acknowledgement/quotes-in-metadata-not-lost'],
  },
  'leaves the body of an early refusal on the connection': {
    timed: true,
    does: () => {
      const unread = new WeakSet()
      return {
        gate(request, body) {
          if (unread.has(request.socket)) return 400
          if (!CORRECT.headerOf(request).includes('v1=')) unread.add(request.socket)
          return CORRECT.gate(request, body)
        },
      }
    },
    fails: ['transport/valid-after-early-refusals-on-one-connection'],
  },
}
