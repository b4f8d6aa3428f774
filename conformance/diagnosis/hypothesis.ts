import { isDeepStrictEqual } from 'node:util'
import type { Verdict } from '../contracts/webhook/model.ts'
import type { Candidate } from './cause.ts'
import { type Enough, type Fit, isDisproven, isOutweighed, NO_FIT, perRun, proven } from './fit.ts'
import { judgementOf } from './judgement.ts'
import { isPlainJson, isWrittenOtherwise } from './mistakes/serializers.ts'
import type { Said } from './statement.ts'
import {
  fedNoJson,
  isEvent,
  isJson,
  isOpen,
  isOtherwiseEncoded,
  type Symptoms,
  type Trial,
} from './symptoms.ts'
import { correctOf, type Terms, type Verifier } from './verifier.ts'

/** A mistake, as a prediction: which deliveries a receiver that makes it accepts. */
export type Hypothesis = Said & {
  /** Undefined where the mistake decides nothing. */
  readonly accepts: (trial: Trial) => boolean | undefined
  /** How such a receiver verifies, if the mistake is one of verification. */
  readonly parts?: Partial<Verifier>
  /** Set when the mistake shows only in some of the deliveries that it explains: at least one of them must be there. */
  readonly shows?: (trial: Trial) => boolean
  /** What a receiver that makes the mistake may still refuse, for what else is unusual in it. */
  readonly mayRefuse?: (trial: Trial) => boolean
  /** The receiver parses the body first, so a body that is not JSON fails in some other way. */
  readonly parsesFirst?: true
  /** The receiver serializes the body in a way that is not known exactly for all bodies. */
  readonly serializesFirst?: true
}

/** Makes the hypothesis that a receiver of a service verifies correctly except in some parts. */
export const verifyingFor =
  (terms: Terms) =>
  (said: Said, parts: Partial<Verifier>): Hypothesis => {
    const verifier = { ...correctOf(terms), ...parts }
    return {
      ...said,
      parts,
      accepts: ({ delivery, correct }) => {
        if (correct === undefined) return undefined
        const judgement = judgementOf(verifier, delivery)
        return judgement === undefined ? undefined : judgement === 'accepted'
      },
    }
  }

/** A receiver that refuses some deliveries whatever their signature is, and nothing else wrongly. */
export function refusing(said: Said, refuses: (trial: Trial) => boolean): Hypothesis {
  return {
    ...said,
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
const predictionsOf = perRun(({ accepts }: Hypothesis) => lazily(accepts))

/** Which deliveries a receiver accepts that makes all these mistakes; as the contract requires without any. */
const predictionsOfAll = perRun((mistakes: readonly Hypothesis[], symptoms) => {
  const verifier: Verifier = Object.assign(
    { ...correctOf(symptoms.service) },
    ...mistakes.map(({ parts }) => parts),
  )
  const each = mistakes.map((mistake) => ({ mistake, alone: predictionsOf(mistake, symptoms) }))
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
const answered = perRun((_: 'trials', { trials }) => {
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
  symptoms: Symptoms,
  isEnough: Enough = isOutweighed,
): Fit {
  const { right, wrong } = answered('trials', symptoms)
  const explains = new Set<Verdict>()
  const conflicts = { accepted: new Set<Verdict>(), refused: new Set<Verdict>() }
  const count = { accepted: 0, refused: 0 }
  const isSomethingAccepted = symptoms.valid.some(({ accepted }) => accepted === true)
  let isShown = hypothesis.shows === undefined
  let contradictions = 0
  const alone = predictionsOf(hypothesis, symptoms)
  const withIt = others.length === 0 ? alone : predictionsOfAll([...others, hypothesis], symptoms)
  const withoutIt = predictionsOfAll(others, symptoms)
  /** What is predicted with and without the hypothesis; undefined where nothing is. */
  const predictedFor = (trial: Trial) => {
    const predicted = withIt(trial)
    const without = predicted === undefined ? undefined : withoutIt(trial)
    if (predicted === undefined || without === undefined) return undefined
    // A receiver may refuse such a body, or how it says it is encoded, whatever it verifies.
    const mayRefuse =
      isOtherwiseEncoded(trial.delivery) ||
      !isEvent(trial.delivery.body, symptoms.service) ||
      hypothesis.mayRefuse?.(trial) === true
    if (predicted && trial.accepted === false && mayRefuse) return undefined
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
  const {
    accepts: _,
    parts: _parts,
    shows: _shows,
    mayRefuse: _mayRefuse,
    parsesFirst,
    serializesFirst: _first,
    ...said
  } = hypothesis
  return {
    supports,
    contradictions,
    candidate: {
      ...said,
      explains,
      ...(parsesFirst && { also: followingFrom(hypothesis, symptoms) }),
      // A receiver that accepts, or refuses, what it should not for another reason gives no evidence of this one.
      conflicts: new Set([
        ...(count.accepted > 0 ? conflicts.accepted : []),
        ...(count.refused > 0 ? conflicts.refused : []),
      ]),
    },
  }
}

/** What fails because of a mistake, though it predicts nothing about it. */
function followingFrom({ serializesFirst }: Hypothesis, symptoms: Symptoms): Set<Verdict> {
  return new Set([...fedNoJson(symptoms), ...(serializesFirst ? writtenOtherwise(symptoms) : [])])
}

/** How well a hypothesis fits when it is the only mistake. */
export const fitAlone = perRun((hypothesis: Hypothesis, symptoms) => fit(hypothesis, [], symptoms))

const proofOf = perRun((hypothesis: Hypothesis, symptoms) =>
  proven(fit(hypothesis, [], symptoms, isDisproven)),
)

/** The hypotheses that nothing disproves: a single delivery that contradicts one is enough. */
export function testAll(hypotheses: readonly Hypothesis[], symptoms: Symptoms): Candidate[] {
  // Where nothing is accepted, there is no fit, but it takes a second for all hypotheses.
  if (!acceptsSomething(symptoms)) return []
  return hypotheses.flatMap((hypothesis) => proofOf(hypothesis, symptoms) ?? [])
}

/** Whether anything was accepted of which the contract says what to do with it. */
export function acceptsSomething({ trials }: Symptoms): boolean {
  return trials.some(({ accepted, shouldAccept }) => accepted === true && shouldAccept !== undefined)
}

/**
 * The open verdicts about JSON that each library writes in its own way, such as the number 1.50, whose trials all went wrong as
 * when it is serialized again: a body with the value of a signed one was accepted, or a valid one was answered as a forged one is.
 */
export function writtenOtherwise(symptoms: Symptoms): Set<Verdict> {
  const forged = symptoms.trials.filter(
    ({ correct, shouldAccept }) => correct === 'forged' && shouldAccept === false,
  )
  const statuses = new Set(forged.filter(({ accepted }) => accepted === false).map(({ status }) => status))
  const follows = (trial: Trial, others: readonly Trial[]) => {
    const { delivery, accepted, correct, status } = trial
    if (!isJson(delivery.body)) return false
    const text = delivery.body.toString()
    if (accepted === true)
      return correct === 'forged' && !isPlainJson(text) && others.some((other) => isSigned(other, trial))
    return correct === 'accepted' && isWrittenOtherwise(text) && statuses.has(status)
  }
  return new Set(
    symptoms.open.filter((verdict) => {
      const trials = symptoms.trials.filter((trial) => trial.verdict === verdict)
      const wrong = trials.filter(({ shouldAccept, accepted }) => (shouldAccept ?? accepted) !== accepted)
      return wrong.length > 0 && wrong.every((trial) => found(() => follows(trial, trials)))
    }),
  )
}

/** What `read` finds; false for JSON that is nested too deeply to be compared. */
function found(read: () => boolean): boolean {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Whether a delivery was accepted whose own body has the value of an altered one. */
function isSigned({ correct, accepted, delivery }: Trial, altered: Trial): boolean {
  return (
    correct === 'accepted' &&
    accepted === true &&
    isJson(delivery.body) &&
    isDeepStrictEqual(JSON.parse(delivery.body.toString()), JSON.parse(altered.delivery.body.toString()))
  )
}
