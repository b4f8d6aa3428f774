import type { Evidence, Expectation } from '../model.ts'
import { fulfilledOnce } from './effects.ts'
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

/** The problem, but a payment that was fulfilled as a test is not called one that was not fulfilled. */
function asTestPayment(problem: string, evidence: Evidence): string {
  const [id = '', observed = ''] = problem.split(': ', 2)
  const isTest = evidence
    .effects(id)
    .some(({ effect, livemode }) => effect === 'fulfilled' && livemode === false)
  return isTest && observed.startsWith('not fulfilled')
    ? problem.replace(
        'not fulfilled',
        'fulfilled, but as a test payment (livemode false); not fulfilled as a live one',
      )
    : problem
}

/**
 * Every probe's payment is fulfilled once as a live one (SPEC.md 7.4). An effect that shows `livemode` false does not
 * count: a receiver may take an event without `livemode` for one of a test.
 */
export const fulfilledOnceAsLive: Expectation = {
  ...fulfilledOnce,
  expected: 'every payment is fulfilled once as a live one, for its amount',
  check: (evidence) => {
    const finding = fulfilledOnce.check({
      ...evidence,
      effects: (id) => evidence.effects(id).filter(({ livemode }) => livemode !== false),
    })
    const ids = evidence.exchanges.flatMap(({ delivery }) => delivery.paymentId ?? [])
    const isHidden = ids.some((id) => evidence.effects(id).some(({ livemode }) => livemode === undefined))
    if (finding?.decisive === true && isHidden)
      return { untested: 'the receiver showed an effect without livemode', decisive: true }
    return finding !== undefined && 'problem' in finding
      ? { ...finding, problem: asTestPayment(finding.problem, evidence) }
      : finding
  },
}
