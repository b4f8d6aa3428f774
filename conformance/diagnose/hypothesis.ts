import type { Verdict } from '../case/model.ts'
import type { Candidate } from './cause.ts'
import { type Evidence, fedNoJson, isEvent, isOpen, type Trial } from './evidence.ts'
import { type Fit, NO_FIT, perEvidence, proven } from './fit.ts'
import type { Statement } from './statement.ts'
import { CORRECT, judgementOf, type Verifier } from './verifier.ts'

/** A mistake, as a prediction: which deliveries a receiver that makes it accepts. */
export interface Hypothesis extends Statement {
  /** Undefined where the mistake decides nothing. */
  readonly accepts: (trial: Trial) => boolean | undefined
  /** How such a receiver verifies, if the mistake is one of verification. */
  readonly parts?: Partial<Verifier>
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
    parts,
    accepts: ({ delivery, correct }) => {
      if (correct === undefined) return undefined
      const judgement = judgementOf(verifier, delivery)
      return judgement === undefined ? undefined : judgement === 'accepted'
    },
  }
}

/** A receiver that refuses some deliveries whatever their signature is, and nothing else wrongly. */
export function refusing(statement: Statement, refuses: (trial: Trial) => boolean): Hypothesis {
  return {
    ...statement,
    accepts: (trial) => {
      if (refuses(trial)) return false
      return trial.shouldAccept === true ? true : undefined
    },
  }
}

/** Whether one receiver can make both mistakes: two ways to do one thing exclude each other. */
export function areCompatible(one: Hypothesis, other: Hypothesis): boolean {
  return one.code !== other.code && !keysOf(one).some((key) => keysOf(other).includes(key))
}

const keysOf = ({ parts = {} }: Hypothesis) => Object.keys(parts)

type Prediction = boolean | undefined

/** What a single mistake predicts for each trial. */
const predictions = perEvidence(({ accepts }: Hypothesis, { trials }): readonly Prediction[] =>
  trials.map(accepts),
)

/** Which deliveries a receiver accepts that makes all these mistakes; as the contract requires without any. */
function predict(mistakes: readonly Hypothesis[], evidence: Evidence): readonly Prediction[] {
  const each = mistakes.map((mistake) => ({ mistake, alone: predictions(mistake, evidence) }))
  const verifier: Verifier = Object.assign({ ...CORRECT }, ...mistakes.map(({ parts }) => parts))
  const verifying = each.filter(({ mistake }) => mistake.parts !== undefined)
  const refusing = each.filter(({ mistake }) => mistake.parts === undefined)
  return evidence.trials.map((trial, at) => {
    const { shouldAccept, delivery } = trial
    if (verifying.some(({ alone }) => alone[at] === undefined)) return undefined
    if (refusing.some(({ alone }) => alone[at] === false)) return false
    if (verifying.every(({ alone }) => alone[at] === shouldAccept)) return shouldAccept
    const judgement = judgementOf(verifier, delivery)
    return judgement === undefined ? undefined : judgement === 'accepted'
  })
}

/**
 * Compares a hypothesis with every delivery for which it predicts something else than the other mistakes do, or than the
 * contract requires if there are none. One that was answered as without the mistake contradicts it.
 */
export function fit(hypothesis: Hypothesis, others: readonly Hypothesis[], evidence: Evidence): Fit {
  const explains = new Set<Verdict>()
  const conflicts = { accepted: new Set<Verdict>(), refused: new Set<Verdict>() }
  const wrong = { accepted: 0, refused: 0 }
  const isSomethingAccepted = evidence.valid.some(({ accepted }) => accepted === true)
  let isShown = hypothesis.shows === undefined
  let contradictions = 0
  const alone = predictions(hypothesis, evidence)
  const withIt = others.length === 0 ? alone : predict([...others, hypothesis], evidence)
  const withoutIt = predict(others, evidence)
  for (const [at, trial] of evidence.trials.entries()) {
    const { verdict, shouldAccept, accepted, delivery } = trial
    if (shouldAccept === undefined || accepted === undefined) continue
    const [predicted, without] = [withIt[at], withoutIt[at]]
    if (predicted === undefined || without === undefined) continue
    // A receiver may refuse such a body whatever it verifies.
    if (predicted && !accepted && !isEvent(delivery.body)) continue
    const observed = accepted ? 'accepted' : 'refused'
    if (predicted === without) {
      if (accepted !== shouldAccept && accepted !== predicted) conflicts[observed].add(verdict)
    } else if (accepted !== predicted) contradictions += 1
    else if (accepted !== shouldAccept) {
      // Where nothing valid is accepted, any reason to refuse some of it would fit.
      if (!accepted && !isSomethingAccepted) return NO_FIT
      wrong[observed] += 1
      isShown ||= hypothesis.shows?.(trial) === true
      if (isOpen(verdict)) explains.add(verdict)
    }
  }
  if (explains.size === 0 || !isShown) return NO_FIT
  const { code, sentence, fix } = hypothesis
  return {
    supports: wrong.accepted + wrong.refused,
    contradictions,
    candidate: {
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
    },
  }
}

/** How well a hypothesis fits when it is the only mistake. */
export const fitAlone = perEvidence((hypothesis: Hypothesis, evidence) => fit(hypothesis, [], evidence))

/** The hypotheses that nothing disproves: a single delivery that contradicts one is enough. */
export function testAll(hypotheses: readonly Hypothesis[], evidence: Evidence): Candidate[] {
  // Where nothing is accepted, there is no fit, but it takes a second for all hypotheses.
  if (!acceptsSomething(evidence)) return []
  return hypotheses.flatMap((hypothesis) => proven(fitAlone(hypothesis, evidence)) ?? [])
}

/** Whether anything was accepted of which the contract says what to do with it. */
export function acceptsSomething({ trials }: Evidence): boolean {
  return trials.some(({ accepted, shouldAccept }) => accepted === true && shouldAccept !== undefined)
}
