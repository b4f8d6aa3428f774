import type { Effect } from '../../../schemas/types.ts'
import type { Recognize } from '../cause.ts'
import { type Event, effectNamed, type Handling, keyOf, nameOf, text } from '../handling.ts'
import { handling, testHandling } from '../mishandling.ts'

const FIX =
  'Fulfill on payment.completed unless the payment was refunded, and reverse on payment.refunded, each once; let no other event change what was fulfilled.'
const is = (event: Event, name: string) => nameOf(event) === `payment.${name}`
const isFulfilled = (before: readonly Effect[]) => before.at(-1)?.effect === 'fulfilled'

/** Mistakes with an event that arrives before or after the completion. */
const withOther = (name: string) => [
  ...[['completed'], ['completed', 'refunded']].map((skipped) =>
    handling(
      {
        code: 'payment_closed',
        sentence: `A payment that had a payment.${name} is treated as closed: the completion that follows is acknowledged but not fulfilled.`,
        fix: 'Fulfill every payment.completed unless the payment was refunded, no matter which events came before: a customer may pay after a failed or partial attempt.',
      },
      {
        skips: (event, earlier) =>
          skipped.some((one) => is(event, one)) && earlier.some((one) => is(one, name)),
      },
    ),
  ),
  handling(
    {
      code: 'refunds_ignored',
      sentence: `The refund of a payment that had a payment.${name} reverses nothing.`,
      fix: FIX,
    },
    { skips: (event, earlier) => is(event, 'refunded') && earlier.some((one) => is(one, name)) },
  ),
  handling(
    {
      code: 'late_event_overwrites',
      sentence: `A payment.${name} that arrives after the completion overwrites its state, so the refund that follows reverses nothing.`,
      fix: FIX,
    },
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
    {
      code: 'late_event_overwrites',
      sentence: `A payment.${name} that arrives after the completion reverses the fulfillment.`,
      fix: FIX,
    },
    {
      effectOf: (event, before, otherwise) =>
        is(event, name) && isFulfilled(before) ? effectNamed(event, 'reversed') : otherwise(event, before),
    },
  ),
]

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
const refundForgotten = (parts: Partial<Handling>) =>
  handling(
    {
      code: 'refund_forgotten',
      sentence:
        'A completion that is sent again after its refund is fulfilled once more: the refund deletes what was recorded of the payment.',
      fix: 'Keep the record of a refunded payment: mark it as refunded instead of deleting it, and never fulfill it again.',
    },
    parts,
  )

/** Skips an event that is not newer than the others of its payment. */
const skippingOlder = (isStale: (at: number, last: number) => boolean, unitMs: number, than: string) => {
  const at = (event: Event) => Math.floor(Date.parse(text(event['timestamp'])) / unitMs)
  const supposed = handling(
    {
      code: 'older_events_skipped',
      sentence: `An event is skipped when its timestamp is ${than} that of another event of its payment.`,
      fix: 'Handle each event by its name, once, in any order of arrival; do not compare timestamps. Several events may have the same one.',
    },
    { skips: (event, earlier) => earlier.some((one) => isStale(at(event), at(one))) },
  )
  return { ...supposed, isStrict: true as const }
}

export const HISTORY_HYPOTHESES = [
  ...['failed', 'partial', 'expired'].flatMap(withOther),
  refundForgotten(forgetful((before) => before.at(-1)?.effect === 'reversed' && before.length > 1)),
  refundForgotten(forgetful((before) => before.at(-1)?.effect === 'reversed')),
  ...[1, 1000].flatMap((unitMs) => [
    skippingOlder((at, last) => at < last, unitMs, 'earlier than'),
    skippingOlder((at, last) => at <= last, unitMs, 'not later than'),
  ]),
]

/** What happened to a payment before decides wrongly what happens next (SPEC.md 9.12). */
export const historyCauses: Recognize = (evidence) =>
  HISTORY_HYPOTHESES.flatMap((hypothesis) => testHandling(hypothesis, evidence) ?? [])
