import type { Verdict } from '../contracts/webhook/model.ts'
import type { Candidate } from './cause.ts'
import { type Enough, type Fit, isDisproven, isOutweighed, NO_FIT, perRun, proven } from './fit.ts'
import { CORRECT_HANDLING, type EffectOf, type Event, type Handling, shown, simulate } from './handling.ts'
import { remembered } from './remember.ts'
import type { Said } from './statement.ts'
import { fedNoJson, isOpen, type Symptoms } from './symptoms.ts'

/** A mistake in handling, as a prediction of the effects. */
export type HandlingHypothesis = Said & {
  readonly parts: Partial<Handling>
  /** The receiver parses the body before it verifies it, so a body that is not JSON fails in some other way. */
  readonly parsesFirst?: true
  /** Set when nearly every payment must be as predicted: what differs otherwise has another cause. */
  readonly isStrict?: true
}

/** A receiver that handles events correctly except in some parts. */
export function handling(said: Said, parts: Partial<Handling>): HandlingHypothesis {
  return { ...said, parts }
}

/** Whether one receiver can make both mistakes: it has one key, and one rule for what it records and handles. */
export function canHandleBoth(one: HandlingHypothesis, other: HandlingHypothesis): boolean {
  const isBoth = (key: keyof Handling) => key in one.parts && key in other.parts
  return one.code !== other.code && !isBoth('keyOf') && !isBoth('records') && !isBoth('handles')
}

/** A receiver that makes all these mistakes. */
function handlingWith(mistakes: readonly HandlingHypothesis[]): Handling {
  let all = CORRECT_HANDLING
  for (const { parts } of mistakes) {
    const { reads, skips, effectOf } = all
    const more = parts.effectOf
    all = {
      ...all,
      ...parts,
      reads: (event, exchange) => (parts.reads ?? same)(reads(event, exchange), exchange),
      skips: (event, earlier) => skips(event, earlier) || parts.skips?.(event, earlier) === true,
      effectOf: (event, before, otherwise) => {
        const without: EffectOf = (one, earlier) => effectOf(one, earlier, otherwise)
        return more === undefined ? without(event, before) : more(event, before, without)
      },
    }
  }
  return all
}
const same = (event: Event) => event

/** The effects of the payments of a case, as one comparable text each. */
type Shown = ReadonlyMap<string, string>

/** What a receiver that makes these mistakes does with the payments of a case. */
type EffectsOf = (verdict: Verdict) => Shown

const effectsWith = perRun((mistakes: readonly HandlingHypothesis[]): EffectsOf => {
  const supposed = handlingWith(mistakes)
  const known = new Map<Verdict, Shown>()
  return (verdict) => {
    const effects =
      known.get(verdict) ??
      new Map([...simulate(verdict, supposed)].map(([id, list]) => [id, shown(list)] as const))
    known.set(verdict, effects)
    return effects
  }
})
/** The same list each time, so that its effects are computed once. */
const NOTHING_WRONG: readonly HandlingHypothesis[] = []

/** The observed effects of a payment, beside those that the contract requires. */
interface Payment {
  readonly verdict: Verdict
  readonly id: string
  readonly actual: string
  readonly correct: string
}

/** The payments of the cases that show effects: those with the required effects, and the others. */
const splitPayments = perRun((_: 'shown', symptoms) => {
  const required = effectsWith(NOTHING_WRONG, symptoms)
  const split: Record<'right' | 'wrong', Payment[]> = { right: [], wrong: [] }
  for (const verdict of symptoms.verdicts) {
    if (verdict.effects === undefined || verdict.case.isUnordered === true) continue
    const mixed = idsOfBothModes(verdict)
    for (const [id, observed] of verdict.effects) {
      if (mixed.has(id)) continue
      const payment = { verdict, id, actual: shown(observed), correct: required(verdict).get(id) ?? '' }
      split[payment.actual === payment.correct ? 'right' : 'wrong'].push(payment)
    }
  }
  return split
})

/**
 * Compares a hypothesis with the effects of every payment for which it predicts others than the other mistakes do, or than
 * the contract requires if there are none. A payment with the effects that the contract requires contradicts it.
 *
 * @param isEnough when no more contradictions need to be counted
 */
export function fitHandling(
  hypothesis: HandlingHypothesis,
  others: readonly HandlingHypothesis[],
  symptoms: Symptoms,
  isEnough: Enough = isOutweighed,
): Fit {
  const { parts: _, parsesFirst, isStrict, ...said } = hypothesis
  const explains = new Set<Verdict>()
  const conflicts = new Set<Verdict>()
  const lost = new Set<string>()
  let matches = 0
  let strays = 0
  let contradictions = 0
  const { right, wrong } = splitPayments('shown', symptoms)
  const withIt = effectsWith([...others, hypothesis], symptoms)
  const withoutIt = effectsWith(others.length === 0 ? NOTHING_WRONG : others, symptoms)
  for (const { verdict, id, actual } of wrong) {
    const expected = withIt(verdict).get(id) ?? ''
    if (expected === (withoutIt(verdict).get(id) ?? '')) {
      if (actual === expected) continue
      strays += 1
      if (isOpen(verdict)) conflicts.add(verdict)
    } else if (actual === expected) {
      matches += 1
      if (isOpen(verdict)) explains.add(verdict)
      if (actual === '') lost.add(id)
      // An effect that is missing from a failed case may only not have been awaited.
    } else if (!isOpen(verdict)) {
      contradictions += 1
      if (isEnough(Number.POSITIVE_INFINITY, contradictions)) return NO_FIT
    }
  }
  if (explains.size === 0 || (isStrict === true && strays * 10 > matches)) return NO_FIT
  for (const { verdict, id, actual } of right) {
    if (isEnough(matches, contradictions)) break
    const expected = withIt(verdict).get(id) ?? ''
    if (expected === actual || expected === (withoutIt(verdict).get(id) ?? '')) continue
    if (!isOpen(verdict) || actual !== '') contradictions += 1
  }
  const also = new Set([
    ...(parsesFirst === true ? fedNoJson(symptoms) : []),
    ...symptoms.open.filter((verdict) => namesOnly(verdict, lost) || isAsInTurn(verdict, withIt)),
  ])
  return {
    supports: matches,
    contradictions,
    candidate: { ...said, explains, conflicts, also },
  }
}

/** How well a hypothesis fits when it is the only mistake. */
export const fitHandlingAlone = perRun((hypothesis: HandlingHypothesis, symptoms) =>
  fitHandling(hypothesis, [], symptoms),
)

const proofOf = perRun((hypothesis: HandlingHypothesis, symptoms) =>
  proven(fitHandling(hypothesis, [], symptoms, isDisproven)),
)

/** The mistakes in handling that no payment disproves. */
export function testHandling(hypotheses: readonly HandlingHypothesis[], symptoms: Symptoms): Candidate[] {
  return hypotheses.flatMap((hypothesis) => proofOf(hypothesis, symptoms) ?? [])
}

/**
 * Whether each payment, whose deliveries came at the same time, had the effects that this receiver gives them in turn, in
 * one order or the other: their overlap is no reason.
 */
function isAsInTurn(verdict: Verdict, withIt: EffectsOf): boolean {
  if (verdict.case.isUnordered !== true || verdict.effects === undefined) return false
  const orders = [verdict, lastFirst(verdict)].map(withIt)
  return [...verdict.effects].every(([id, observed]) =>
    orders.some((predicted) => shown(observed) === (predicted.get(id) ?? '')),
  )
}

/** The same each time, so that its effects are computed once. */
const lastFirst = remembered(
  (verdict: Verdict): Verdict => ({
    ...verdict,
    exchanges: verdict.exchanges.toReversed(),
  }),
)

/** Whether a case that judges the payments of all others names payments of this set only. */
function namesOnly({ case: { late }, problems }: Verdict, lost: ReadonlySet<string>): boolean {
  const named = problems.flatMap(({ payments = [] }) => payments)
  return late !== undefined && named.length > 0 && named.every((id) => lost.has(id))
}

/** The payments with test and live events: a receiver may ignore one of the two, so nothing predicts their effects. */
function idsOfBothModes({ exchanges }: Verdict): ReadonlySet<string> {
  const modes = new Map<string, Set<boolean>>()
  for (const { delivery } of exchanges) {
    // An event without livemode is a live one.
    const id = delivery.key ?? ''
    modes.set(id, (modes.get(id) ?? new Set()).add(delivery.livemode ?? true))
  }
  return new Set([...modes].filter(([, found]) => found.size > 1).map(([id]) => id))
}
