import type { Observation, Verdict } from '../../contracts/webhook/model.ts'
import type { Recognize } from '../cause.ts'
import type { Judgement } from '../judgement.ts'
import { effectsOf, isOpen, type Symptoms, type Trial } from '../symptoms.ts'

/** Whether acknowledged deliveries that must be refused had effects, by what is wrong with them. */
type UnverifiedEffects = ReadonlyMap<Judgement | undefined, boolean>

/**
 * Looks at the effects of payments of which no valid delivery was sent, beside a control that was sent later and had its
 * effect. A kind of delivery that no such payment shows is absent from the result.
 */
function effectsOfUnverified({ trials }: Pick<Symptoms, 'trials'>): UnverifiedEffects {
  const kinds = new Map<Judgement | undefined, boolean>()
  for (const trial of trials) {
    if (trial.accepted !== true || !isObservable(trial)) continue
    const hasEffect = (effectsOf(trial.verdict, trial.delivery.key ?? '') ?? 0) > 0
    kinds.set(trial.correct, kinds.get(trial.correct) === true || hasEffect)
  }
  return kinds
}

/** Whether forged deliveries had effects; undefined when nothing shows it. */
export function forgedHaveEffects(symptoms: Pick<Symptoms, 'trials'>): boolean | undefined {
  return effectsOfUnverified(symptoms).get('forged')
}

const NOT_DUE: readonly (Observation | undefined)[] = [
  'fulfilled-not-due',
  'reversed-not-due',
  'handled-not-due',
]

/** Open verdicts about effects of unsigned deliveries: they follow when a receiver does not verify. */
export function effectsWithoutSignature({ open }: Pick<Symptoms, 'open'>): Verdict[] {
  return open.filter(
    ({ case: { role }, problems, exchanges }) =>
      role === 'way-around' &&
      problems.some(({ observed }) => NOT_DUE.includes(observed)) &&
      exchanges.some(({ delivery }) => delivery.change !== undefined),
  )
}

function isObservable({ verdict, delivery, shouldAccept, correct }: Trial): boolean {
  const { exchanges } = verdict
  if (shouldAccept !== false && (correct === undefined || correct === 'accepted')) return false
  const control = exchanges.findLast((exchange) => exchange.delivery.role === 'control')?.delivery.key
  if (control === undefined || delivery.key === undefined) return false
  if (effectsOf(verdict, delivery.key) === undefined) return false
  const isPaid = exchanges.some(
    ({ delivery: other }) => other.key === delivery.key && other.change === undefined,
  )
  return !isPaid && (effectsOf(verdict, control) ?? 0) > 0
}

/**
 * Refusals with a status of 2xx: the responses look as if nothing were verified, but what is forged has no effect, while
 * a payment that was sent after it has one.
 */
export const acknowledgedRefusals: Recognize = (symptoms) => {
  const effects = effectsOfUnverified(symptoms)
  // Of stale deliveries alone there is a cause of its own.
  if (effects.get('forged') !== false) return []
  // What is acknowledged only for something in it has gone around the verification.
  if (refusesForgeries(symptoms)) return []
  const acknowledged = symptoms.trials.filter(
    ({ shouldAccept, accepted, correct }) =>
      shouldAccept === false && accepted === true && effects.get(correct) !== true,
  )
  const statuses = [...new Set(acknowledged.flatMap(({ status }) => status ?? []))].toSorted((a, b) => a - b)
  const withoutEffect = symptoms.open.filter(lacksEffectWhereRefusalIsRight)
  return [
    {
      code: 'refusals_acknowledged',
      data: { statuses },
      explains: new Set([...acknowledged.map(({ verdict }) => verdict).filter(isOpen), ...withoutEffect]),
    },
  ]
}

/** What a case may see refused was acknowledged instead, and had no effect. */
const lacksEffectWhereRefusalIsRight = ({ case: { expect }, problems }: Verdict): boolean =>
  expect.some(({ kind }) => kind === 'accepted-or-refused') &&
  problems.every(({ observed }) => observed === 'not-fulfilled')

/** Whether most plain forgeries are refused with a status that says so. */
function refusesForgeries({ trials }: Symptoms): boolean {
  const plain = trials.filter(
    ({ verdict, correct, shouldAccept, accepted }) =>
      verdict.case.role !== 'way-around' &&
      correct === 'forged' &&
      shouldAccept === false &&
      accepted !== undefined,
  )
  return plain.filter(({ accepted }) => accepted === false).length * 2 > plain.length
}

/** Whether it has the signature of another body, which a receiver may have verified over what it decoded. */
const keepsSignature = ({ delivery: { signature, signed } }: Trial): boolean =>
  signature.some((line) => line.includes(signed.v1))

/** A plain forgery is refused, and one with something that its sender chose is accepted (SPEC.md 12). */
export const bypassCauses: Recognize = (symptoms) => {
  const { trials } = symptoms
  const isBypass = ({ verdict }: (typeof trials)[number]) => verdict.case.role === 'way-around'
  const plain = trials.filter((trial) => !isBypass(trial) && trial.correct === 'forged')
  const isUnsigned = ({ delivery }: (typeof trials)[number]) => delivery.signature.join('') === ''
  // A receiver that accepts any unsigned delivery does not do so for something else in it.
  const takesUnsigned = trials.some(
    (trial) => !isBypass(trial) && isUnsigned(trial) && trial.accepted === true,
  )
  const skipped = trials.filter(
    (trial) =>
      isBypass(trial) &&
      trial.correct !== 'stale' &&
      trial.shouldAccept === false &&
      trial.accepted === true &&
      !(takesUnsigned && isUnsigned(trial)) &&
      !keepsSignature(trial),
  )
  const explains = new Set(skipped.map(({ verdict }) => verdict).filter(isOpen))
  const isUsual =
    plain.length === 0 || plain.some(({ shouldAccept, accepted }) => shouldAccept === false && accepted)
  if (explains.size === 0 || isUsual) return []
  return [
    {
      code: 'verification_bypassed',
      data: {},
      changes: new Map(skipped.toReversed().map(({ verdict, delivery }) => [verdict, delivery.change])),
      explains,
      also: new Set([...effectsWithoutSignature(symptoms), ...staleForSome(symptoms)]),
    },
  ]
}

/** Cases in which some stale deliveries are accepted and others refused: what differs between them decides, not their age. */
function staleForSome({ trials }: Symptoms): Verdict[] {
  const stale = trials.filter(({ correct, verdict }) => correct === 'stale' && isOpen(verdict))
  const [accepted, refused] = [true, false].map(
    (outcome) => new Set(stale.filter((trial) => trial.accepted === outcome).map(({ verdict }) => verdict)),
  )
  return [...(accepted ?? [])].filter((verdict) => refused?.has(verdict))
}
