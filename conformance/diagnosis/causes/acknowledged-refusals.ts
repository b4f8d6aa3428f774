import type { Recognize } from '../cause.ts'
import { type Evidence, isOpen } from '../evidence.ts'
import { effectsOfUnverified } from '../forged-effects.ts'

/**
 * Refusals with a status of 2xx: the responses look as if nothing were verified, but what is forged has no effect, while
 * a payment that was sent after it has one.
 */
export const acknowledgedRefusals: Recognize = (evidence) => {
  const effects = effectsOfUnverified(evidence)
  // Of stale deliveries alone there is a cause of its own.
  if (effects.get('forged') !== false) return []
  // What is acknowledged only for something in it has gone around the verification.
  if (refusesForgeries(evidence)) return []
  const acknowledged = evidence.trials.filter(
    ({ shouldAccept, accepted, correct }) =>
      shouldAccept === false && accepted === true && effects.get(correct) !== true,
  )
  const statuses = [...new Set(acknowledged.flatMap(({ status }) => status ?? []))].toSorted((a, b) => a - b)
  return [
    {
      code: 'refusals_acknowledged',
      sentence: `Refusals are answered with status ${statuses.join(' or ')}: what should be refused has no effect, but is acknowledged.`,
      fix: 'Set the response status when you refuse a delivery: 400 if the signature header, t or v1 is missing or malformed or if t is stale, and 401 if the signature is wrong.',
      explains: new Set(acknowledged.map(({ verdict }) => verdict).filter(isOpen)),
    },
  ]
}

/** Whether most plain forgeries are refused with a status that says so. */
function refusesForgeries({ trials }: Evidence): boolean {
  const plain = trials.filter(
    ({ verdict, correct, shouldAccept, accepted }) =>
      verdict.case.section !== 'bypass' &&
      correct === 'forged' &&
      shouldAccept === false &&
      accepted !== undefined,
  )
  return plain.filter(({ accepted }) => accepted === false).length * 2 > plain.length
}
