import type { Effect } from '../../../schemas/types.ts'
import type { Recognize } from '../cause.ts'
import { type Event, effectNamed, type Handling, keyOf, nameOf, text } from '../handling.ts'
import { type HandlingHypothesis, handling, testHandling } from '../mishandling.ts'
import type { Meddler } from '../statement.ts'

const is = (event: Event, name: string) => nameOf(event) === `payment.${name}`
const isFulfilled = (before: readonly Effect[]) => before.at(-1)?.effect === 'fulfilled'

/**
 * Mistakes with an event that arrives before or after the completion. Where such payments lack effects without that event
 * too, they have something else in common, such as the amount or the payment method.
 */
const withOther = (name: Meddler) =>
  [
    ...[['completed'], ['completed', 'refunded']].map((skipped) =>
      handling(
        { code: 'payment_closed', data: { event: name } },
        {
          skips: (event, earlier) =>
            skipped.some((one) => is(event, one)) && earlier.some((one) => is(one, name)),
        },
      ),
    ),
    handling(
      { code: 'refunds_ignored', data: { event: name } },
      { skips: (event, earlier) => is(event, 'refunded') && earlier.some((one) => is(one, name)) },
    ),
    handling(
      { code: 'late_event_overwrites', data: { event: name, isReversed: false } },
      {
        skips: (event, earlier) => {
          const completed = earlier.findIndex((one) => is(one, 'completed'))
          return (
            is(event, 'refunded') && completed !== -1 && earlier.slice(completed).some((one) => is(one, name))
          )
        },
      },
    ),
    handling(
      { code: 'late_event_overwrites', data: { event: name, isReversed: true } },
      {
        effectOf: (event, before, otherwise) =>
          is(event, name) && isFulfilled(before) ? effectNamed(event, 'reversed') : otherwise(event, before),
      },
    ),
  ].map((supposed) => ({ ...supposed, isStrict: true as const }))

/** A completion that is sent again is handled again once its refund was booked. */
const forgetful = (isShipped: (before: readonly Effect[]) => boolean): Partial<Handling> => {
  let serial = 0
  return {
    keyOf: (event) => (is(event, 'completed') ? String((serial += 1)) : keyOf(event)),
    effectOf: (event, before, otherwise) => {
      if (!is(event, 'completed')) return otherwise(event, before)
      return before.length === 0 || isShipped(before) ? effectNamed(event, 'fulfilled') : undefined
    },
  }
}
const refundForgotten = (parts: Partial<Handling>) => handling({ code: 'refund_forgotten' }, parts)

/** Skips an event that is not newer than the others of its payment. */
const skippingOlder = (isSameTimeSkipped: boolean, unitMs: number) => {
  const at = (event: Event) => Math.floor(Date.parse(text(event['timestamp'])) / unitMs)
  const isStale = (event: Event, other: Event) =>
    isSameTimeSkipped ? at(event) <= at(other) : at(event) < at(other)
  const supposed = handling(
    { code: 'older_events_skipped', data: { isSameTimeSkipped } },
    { skips: (event, earlier) => earlier.some((one) => isStale(event, one)) },
  )
  return { ...supposed, isStrict: true as const }
}

export const HISTORY_HYPOTHESES: readonly HandlingHypothesis[] = [
  ...(['failed', 'partial', 'expired'] satisfies Meddler[]).flatMap(withOther),
  refundForgotten(forgetful((before) => before.at(-1)?.effect === 'reversed' && before.length > 1)),
  refundForgotten(forgetful((before) => before.at(-1)?.effect === 'reversed')),
  ...[1, 1000].flatMap((unitMs) => [skippingOlder(false, unitMs), skippingOlder(true, unitMs)]),
]

/** What happened to a payment before decides wrongly what happens next (SPEC.md 9.12). */
export const historyCauses: Recognize = (symptoms) => testHandling(HISTORY_HYPOTHESES, symptoms)
