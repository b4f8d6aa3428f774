import type { Problematic } from '../../webhook/finding.ts'
import type { Evidence, Expectation } from '../../webhook/model.ts'
import { fulfilledOnce } from './effects.ts'
import { effectsOfSequences } from './sequences.ts'

/**
 * Every probe is a live event, and the live effects of its payment follow from these events alone (SPEC.md 8.22). A
 * receiver may ignore test events, or keep test effects of the same id: they show `livemode` false and do not count.
 */
export const effectsOfLiveEvents: Expectation = {
  ...effectsOfSequences,
  expected: { code: 'live_effects' },
  check: (evidence) => {
    const ids = new Set(evidence.exchanges.flatMap(({ delivery }) => delivery.key ?? []))
    if ([...ids].some((id) => evidence.effects(id).some(({ livemode }) => livemode === undefined)))
      return { untested: { code: 'livemode_not_shown' }, decisive: true }
    return effectsOfSequences.check({
      ...evidence,
      effects: (id) => evidence.effects(id).filter(({ livemode }) => livemode === true),
    })
  },
}

/** The problem, but a payment that was fulfilled as a test is not called one that was not fulfilled. */
function asTestPayment(finding: Problematic, evidence: Evidence): Problematic {
  const [id = ''] = finding.payments ?? []
  const isTest = evidence
    .effects(id)
    .some(({ effect, livemode }) => effect === 'fulfilled' && livemode === false)
  return isTest && finding.wrong.code === 'not_fulfilled'
    ? { ...finding, wrong: { code: 'not_fulfilled', isTest } }
    : finding
}

/**
 * Every probe's payment is fulfilled once as a live one (SPEC.md 7.4). An effect that shows `livemode` false does not
 * count: a receiver may take an event without `livemode` for one of a test.
 */
export const fulfilledOnceAsLive: Expectation = {
  ...fulfilledOnce,
  expected: { code: 'fulfilled_once_as_live' },
  check: (evidence) => {
    const finding = fulfilledOnce.check({
      ...evidence,
      effects: (id) => evidence.effects(id).filter(({ livemode }) => livemode !== false),
    })
    const ids = evidence.exchanges.flatMap(({ delivery }) => delivery.key ?? [])
    const isHidden = ids.some((id) => evidence.effects(id).some(({ livemode }) => livemode === undefined))
    if (finding?.decisive === true && isHidden)
      return { untested: { code: 'livemode_not_shown' }, decisive: true }
    return finding !== undefined && 'wrong' in finding ? asTestPayment(finding, evidence) : finding
  },
}
