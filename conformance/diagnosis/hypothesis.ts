import type { Verdict } from '../contracts/payment-service/model.ts'
import type { Candidate } from './cause.ts'
import { type Evidence, fedNoJson, isEvent, isOpen, type Trial } from './evidence.ts'
import { type Enough, type Fit, isDisproven, isOutweighed, NO_FIT, perEvidence, proven } from './fit.ts'
import { writtenOtherwise } from './same-value.ts'
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
  /** The receiver serializes the body in a way that is not known exactly for all bodies. */
  readonly serializesFirst?: true
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

/** What is predicted for a trial; computed when first asked for, because most answers are never needed. */
type Predictions = (trial: Trial) => Prediction

function lazily(predict: Predictions): Predictions {
  const known = new Map<Trial, Prediction>()
  return (trial) => {
    if (!known.has(trial)) known.set(trial, predict(trial))
    return known.get(trial)
  }
}

/** What a single mistake predicts. */
const predictionsOf = perEvidence(({ accepts }: Hypothesis) => lazily(accepts))

/** Which deliveries a receiver accepts that makes all these mistakes; as the contract requires without any. */
const predictionsOfAll = perEvidence((mistakes: readonly Hypothesis[], evidence) => {
  const verifier: Verifier = Object.assign({ ...CORRECT }, ...mistakes.map(({ parts }) => parts))
  const each = mistakes.map((mistake) => ({ mistake, alone: predictionsOf(mistake, evidence) }))
  const verifying = each.filter(({ mistake }) => mistake.parts !== undefined)
  const refusing = each.filter(({ mistake }) => mistake.parts === undefined)
  return lazily((trial) => {
    if (verifying.some(({ alone }) => alone(trial) === undefined)) return undefined
    if (refusing.some(({ alone }) => alone(trial) === false)) return false
    if (verifying.every(({ alone }) => alone(trial) === trial.shouldAccept)) return trial.shouldAccept
    const judgement = judgementOf(verifier, trial.delivery)
    return judgement === undefined ? undefined : judgement === 'accepted'
  })
})

/** The trials that were answered as the contract requires, and those that were not, with the accepted ones first. */
const answered = perEvidence((_: 'trials', { trials }) => {
  const decided = trials.filter(
    ({ shouldAccept, accepted }) => shouldAccept !== undefined && accepted !== undefined,
  )
  return {
    right: decided.filter(({ shouldAccept, accepted }) => accepted === shouldAccept),
    wrong: [
      ...decided.filter(({ shouldAccept, accepted }) => accepted === true && shouldAccept === false),
      ...decided.filter(({ shouldAccept, accepted }) => accepted === false && shouldAccept === true),
    ],
  }
})

/**
 * Compares a hypothesis with every delivery for which it predicts something else than the other mistakes do, or than the
 * contract requires if there are none. One that was answered as without the mistake contradicts it.
 *
 * @param isEnough when no more contradictions need to be counted
 */
export function fit(
  hypothesis: Hypothesis,
  others: readonly Hypothesis[],
  evidence: Evidence,
  isEnough: Enough = isOutweighed,
): Fit {
  const { right, wrong } = answered('trials', evidence)
  const explains = new Set<Verdict>()
  const conflicts = { accepted: new Set<Verdict>(), refused: new Set<Verdict>() }
  const count = { accepted: 0, refused: 0 }
  const isSomethingAccepted = evidence.valid.some(({ accepted }) => accepted === true)
  let isShown = hypothesis.shows === undefined
  let contradictions = 0
  const alone = predictionsOf(hypothesis, evidence)
  const withIt = others.length === 0 ? alone : predictionsOfAll([...others, hypothesis], evidence)
  const withoutIt = predictionsOfAll(others, evidence)
  /** What is predicted with and without the hypothesis; undefined where nothing is. */
  const predictedFor = (trial: Trial) => {
    const predicted = withIt(trial)
    const without = predicted === undefined ? undefined : withoutIt(trial)
    if (predicted === undefined || without === undefined) return undefined
    // A receiver may refuse such a body whatever it verifies.
    if (predicted && trial.accepted === false && !isEvent(trial.delivery.body)) return undefined
    return { predicted, without }
  }
  for (const trial of wrong) {
    const { verdict, accepted } = trial
    // Where nothing valid is accepted, any reason to refuse some of it would fit.
    const isAnyReason = accepted === false && !isSomethingAccepted
    if (isAnyReason && explains.size === 0) return NO_FIT
    const { predicted, without } = predictedFor(trial) ?? {}
    if (predicted === undefined) continue
    const observed = accepted === true ? 'accepted' : 'refused'
    if (predicted === without) {
      if (accepted !== predicted) conflicts[observed].add(verdict)
    } else if (accepted !== predicted) {
      contradictions += 1
      if (isEnough(Number.POSITIVE_INFINITY, contradictions)) return NO_FIT
    } else {
      if (isAnyReason) return NO_FIT
      count[observed] += 1
      isShown ||= hypothesis.shows?.(trial) === true
      if (isOpen(verdict)) explains.add(verdict)
    }
  }
  if (explains.size === 0 || !isShown) return NO_FIT
  const supports = count.accepted + count.refused
  for (const trial of right) {
    if (isEnough(supports, contradictions)) break
    const { predicted, without } = predictedFor(trial) ?? {}
    if (predicted !== without && predicted !== trial.accepted) contradictions += 1
  }
  const { code, sentence, fix } = hypothesis
  return {
    supports,
    contradictions,
    candidate: {
      code,
      sentence,
      fix,
      explains,
      ...(hypothesis.parsesFirst && { also: followingFrom(hypothesis, evidence) }),
      // A receiver that accepts, or refuses, what it should not for another reason gives no evidence of this one.
      conflicts: new Set([
        ...(count.accepted > 0 ? conflicts.accepted : []),
        ...(count.refused > 0 ? conflicts.refused : []),
      ]),
    },
  }
}

/** What fails because of a mistake, though it predicts nothing about it. */
function followingFrom({ serializesFirst }: Hypothesis, evidence: Evidence): Set<Verdict> {
  return new Set([...fedNoJson(evidence), ...(serializesFirst ? writtenOtherwise(evidence) : [])])
}

/** How well a hypothesis fits when it is the only mistake. */
export const fitAlone = perEvidence((hypothesis: Hypothesis, evidence) => fit(hypothesis, [], evidence))

const proofOf = perEvidence((hypothesis: Hypothesis, evidence) =>
  proven(fit(hypothesis, [], evidence, isDisproven)),
)

/** The hypotheses that nothing disproves: a single delivery that contradicts one is enough. */
export function testAll(hypotheses: readonly Hypothesis[], evidence: Evidence): Candidate[] {
  // Where nothing is accepted, there is no fit, but it takes a second for all hypotheses.
  if (!acceptsSomething(evidence)) return []
  return hypotheses.flatMap((hypothesis) => proofOf(hypothesis, evidence) ?? [])
}

/** Whether anything was accepted of which the contract says what to do with it. */
export function acceptsSomething({ trials }: Evidence): boolean {
  return trials.some(({ accepted, shouldAccept }) => accepted === true && shouldAccept !== undefined)
}
