import { isDeepStrictEqual } from 'node:util'
import type { Verdict } from '../contracts/payment-service/model.ts'
import { type Evidence, isJson, type Trial } from './evidence.ts'
import { isPlainJson, isWrittenOtherwise } from './serializers.ts'

/**
 * The open verdicts about JSON that each library writes in its own way, such as the number 1.50, whose trials all went wrong as
 * when it is serialized again: a body with the value of a signed one was accepted, or a valid one was answered as a forged one is.
 */
export function writtenOtherwise(evidence: Evidence): Set<Verdict> {
  const forged = evidence.trials.filter(
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
    evidence.open.filter((verdict) => {
      const trials = evidence.trials.filter((trial) => trial.verdict === verdict)
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
