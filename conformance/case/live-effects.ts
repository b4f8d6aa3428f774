import type { Expectation } from './model.ts'
import { effectsOfSequences } from './sequences.ts'

/**
 * Every probe is a live event, and the live effects of its payment follow from these events alone (SPEC.md 8.22). A
 * receiver may ignore test events, or keep test effects of the same id: they show `livemode` false and do not count.
 */
export const effectsOfLiveEvents: Expectation = {
  ...effectsOfSequences,
  expected: 'the live effects of each payment follow from its live events',
  check: (evidence) => {
    const ids = new Set(evidence.exchanges.flatMap(({ delivery }) => delivery.paymentId ?? []))
    if ([...ids].some((id) => evidence.effects(id).some(({ livemode }) => livemode === undefined)))
      return { untested: 'the receiver showed an effect without livemode', decisive: true }
    return effectsOfSequences.check({
      ...evidence,
      effects: (id) => evidence.effects(id).filter(({ livemode }) => livemode === true),
    })
  },
}
