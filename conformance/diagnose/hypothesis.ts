import type { Verdict } from '../case/model.ts'
import type { Candidate } from './cause.ts'
import { type Evidence, fedNoJson, isEvent, isOpen, type Trial } from './evidence.ts'
import type { Statement } from './statement.ts'
import { CORRECT, judgementOf, type Verifier } from './verifier.ts'

/** A mistake, as a prediction: which deliveries a receiver that makes it accepts. */
export interface Hypothesis extends Statement {
  /** Undefined where the mistake decides nothing. */
  readonly accepts: (trial: Trial) => boolean | undefined
  /** Set when the mistake shows only in some of the deliveries that it explains: at least one of them must be there. */
  readonly shows?: (trial: Trial) => boolean
  /** The receiver parses the body first, so a body that is not JSON fails in some other way. */
  readonly parsesFirst?: true
}

/** A receiver that verifies correctly except in some parts. */
export function verifying(statement: Statement, parts: Partial<Verifier>): Hypothesis {
  const verifier = { ...CORRECT, ...parts }
  return {
    ...statement,
    accepts: ({ delivery, correct }) => {
      if (correct === undefined) return undefined
      const judgement = judgementOf(verifier, delivery)
      return judgement === undefined ? undefined : judgement === 'accepted'
    },
  }
}

/**
 * Compares a hypothesis with every delivery for which it predicts something other than the contract requires. One
 * that was answered as the contract requires disproves it.
 */
function test(hypothesis: Hypothesis, evidence: Evidence): Candidate | undefined {
  const explains = new Set<Verdict>()
  const conflicts = { accepted: new Set<Verdict>(), refused: new Set<Verdict>() }
  const wrong = { accepted: 0, refused: 0 }
  const isSomethingAccepted = evidence.valid.some(({ accepted }) => accepted === true)
  let isShown = hypothesis.shows === undefined
  for (const trial of evidence.trials) {
    const { verdict, shouldAccept, accepted, delivery } = trial
    if (shouldAccept === undefined || accepted === undefined) continue
    const predicted = hypothesis.accepts(trial)
    if (predicted === undefined) continue
    // A receiver may refuse such a body whatever it verifies.
    if (predicted && !accepted && !isEvent(delivery.body)) continue
    const observed = accepted ? 'accepted' : 'refused'
    if (predicted === shouldAccept) {
      if (accepted !== shouldAccept) conflicts[observed].add(verdict)
    } else if (accepted === predicted) {
      // Where nothing valid is accepted, any reason to refuse some of it would fit.
      if (!accepted && !isSomethingAccepted) return undefined
      wrong[observed] += 1
      isShown ||= hypothesis.shows?.(trial) === true
      if (isOpen(verdict)) explains.add(verdict)
    } else return undefined
  }
  if (explains.size === 0 || !isShown) return undefined
  const { code, sentence, fix } = hypothesis
  return {
    code,
    sentence,
    fix,
    explains,
    ...(hypothesis.parsesFirst && { also: fedNoJson(evidence) }),
    // A receiver that accepts, or refuses, what it should not for another reason gives no evidence of this one.
    conflicts: new Set([
      ...(wrong.accepted > 0 ? conflicts.accepted : []),
      ...(wrong.refused > 0 ? conflicts.refused : []),
    ]),
  }
}

/** The hypotheses that nothing disproves. */
export function testAll(hypotheses: readonly Hypothesis[], evidence: Evidence): Candidate[] {
  // Where nothing is accepted, `test` finds nothing, but takes a second for all hypotheses.
  const { trials } = evidence
  if (!trials.some(({ accepted, shouldAccept }) => accepted === true && shouldAccept !== undefined)) return []
  return hypotheses.flatMap((hypothesis) => test(hypothesis, evidence) ?? [])
}
