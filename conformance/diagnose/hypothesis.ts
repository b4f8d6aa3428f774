import type { Verdict } from '../case/model.ts'
import type { Candidate, Statement } from './cause.ts'
import { type Evidence, isJson, isOpen, type Trial } from './evidence.ts'
import { CORRECT, judgementOf, type Verifier } from './verifier.ts'

/** A mistake, as a prediction: which deliveries a receiver that makes it accepts. */
export interface Hypothesis extends Statement {
  /** Undefined where the mistake decides nothing. */
  readonly accepts: (trial: Trial) => boolean | undefined
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
export function test(hypothesis: Hypothesis, { trials, open }: Evidence): Candidate | undefined {
  const explains = new Set<Verdict>()
  for (const trial of trials) {
    if (trial.shouldAccept === undefined || trial.accepted === undefined) continue
    const predicted = hypothesis.accepts(trial)
    if (predicted === undefined || predicted === trial.shouldAccept) continue
    if (trial.accepted !== predicted) return undefined
    if (isOpen(trial.verdict)) explains.add(trial.verdict)
  }
  if (explains.size === 0) return undefined
  if (hypothesis.parsesFirst) {
    for (const verdict of open) if (fedNoJson(verdict)) explains.add(verdict)
  }
  const { code, sentence, fix } = hypothesis
  return { code, sentence, fix, explains }
}

/** The hypotheses that nothing disproves. */
export function testAll(hypotheses: readonly Hypothesis[], evidence: Evidence): Candidate[] {
  return hypotheses.flatMap((hypothesis) => test(hypothesis, evidence) ?? [])
}

function fedNoJson({ exchanges }: Verdict): boolean {
  return exchanges.some(({ delivery }) => delivery.role !== 'control' && !isJson(delivery.body))
}
