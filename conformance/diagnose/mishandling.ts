import type { Verdict } from '../case/model.ts'
import type { Candidate } from './cause.ts'
import { type Evidence, fedNoJson, isOpen } from './evidence.ts'
import { type Fit, NO_FIT, perEvidence, proven } from './fit.ts'
import { CORRECT_HANDLING, type EffectOf, type Event, type Handling, shown, simulate } from './handling.ts'
import type { Statement } from './statement.ts'

/** A mistake in handling, as a prediction of the effects. */
export interface HandlingHypothesis extends Statement {
  readonly parts: Partial<Handling>
  /** The receiver parses the body before it verifies it, so a body that is not JSON fails in some other way. */
  readonly parsesFirst?: true
  /** Set when nearly every payment must be as predicted: what differs otherwise has another cause. */
  readonly isStrict?: true
}

/** A receiver that handles events correctly except in some parts. */
export function handling(statement: Statement, parts: Partial<Handling>): HandlingHypothesis {
  return { ...statement, parts }
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
      reads: (event) => (parts.reads ?? same)(reads(event)),
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

/** What a receiver that makes these mistakes does with the payments of each case that shows effects. */
function effectsWith(mistakes: readonly HandlingHypothesis[], { verdicts }: Evidence): Map<Verdict, Shown> {
  const supposed = handlingWith(mistakes)
  return new Map(
    verdicts.flatMap((verdict) => {
      if (verdict.effects === undefined || verdict.case.isUnordered === true) return []
      const effects = [...simulate(verdict, supposed)].map(([id, list]) => [id, shown(list)] as const)
      return [[verdict, new Map(effects)]]
    }),
  )
}

const requiredEffects = perEvidence((_: 'required', evidence) => effectsWith([], evidence))

/**
 * Compares a hypothesis with the effects of every payment for which it predicts others than the other mistakes do, or than
 * the contract requires if there are none. A payment with the effects that the contract requires contradicts it.
 */
export function fitHandling(
  hypothesis: HandlingHypothesis,
  others: readonly HandlingHypothesis[],
  evidence: Evidence,
): Fit {
  const { parsesFirst, isStrict, code, sentence, fix } = hypothesis
  const explains = new Set<Verdict>()
  const conflicts = new Set<Verdict>()
  const lost = new Set<string>()
  let matches = 0
  let strays = 0
  let contradictions = 0
  const required = requiredEffects('required', evidence)
  const without = others.length === 0 ? required : effectsWith(others, evidence)
  for (const [verdict, predicted] of effectsWith([...others, hypothesis], evidence)) {
    const mixed = idsOfBothModes(verdict)
    for (const [id, observed] of verdict.effects ?? []) {
      if (mixed.has(id)) continue
      const expected = predicted.get(id) ?? ''
      const correct = required.get(verdict)?.get(id) ?? ''
      const actual = shown(observed)
      if (expected === (without.get(verdict)?.get(id) ?? '')) {
        if (actual === correct || actual === expected) continue
        strays += 1
        if (isOpen(verdict)) conflicts.add(verdict)
      } else if (actual === expected) {
        if (actual === correct) continue
        matches += 1
        if (isOpen(verdict)) explains.add(verdict)
        if (actual === '') lost.add(id)
      } else if (!isOpen(verdict) || (actual === correct && actual !== '')) {
        // An effect that is missing from a failed case may only not have been awaited.
        contradictions += 1
      }
    }
  }
  if (explains.size === 0 || (isStrict === true && strays * 10 > matches)) return NO_FIT
  const also = new Set([
    ...(parsesFirst === true ? fedNoJson(evidence) : []),
    ...evidence.open.filter((verdict) => namesOnly(verdict, lost)),
  ])
  return {
    supports: matches,
    contradictions,
    candidate: { code, sentence, fix, explains, conflicts, also },
  }
}

/** How well a hypothesis fits when it is the only mistake. */
export const fitHandlingAlone = perEvidence((hypothesis: HandlingHypothesis, evidence) =>
  fitHandling(hypothesis, [], evidence),
)

/** What a mistake in handling explains, unless a payment disproves it. */
export function testHandling(hypothesis: HandlingHypothesis, evidence: Evidence): Candidate | undefined {
  return proven(fitHandlingAlone(hypothesis, evidence))
}

/** Whether a case that judges the payments of all others names payments of this set only. */
function namesOnly({ case: { late }, problems }: Verdict, lost: ReadonlySet<string>): boolean {
  const named = problems.flatMap(({ received }) => received.match(/\btx_\w+/g) ?? [])
  return late !== undefined && named.length > 0 && named.every((id) => lost.has(id))
}

/** The payments with test and live events: a receiver may ignore one of the two, so nothing predicts their effects. */
function idsOfBothModes({ exchanges }: Verdict): ReadonlySet<string> {
  const modes = new Map<string, Set<boolean>>()
  for (const { delivery } of exchanges) {
    // An event without livemode is a live one.
    const id = delivery.paymentId ?? ''
    modes.set(id, (modes.get(id) ?? new Set()).add(delivery.livemode ?? true))
  }
  return new Set([...modes].filter(([, found]) => found.size > 1).map(([id]) => id))
}
