import type { Observation, Verdict } from '../contracts/payment-service/model.ts'
import type { Evidence, Trial } from './evidence.ts'
import type { Judgement } from './verifier.ts'

/** Whether acknowledged deliveries that must be refused had effects, by what is wrong with them. */
export type UnverifiedEffects = ReadonlyMap<Judgement | undefined, boolean>

/**
 * Looks at the effects of payments of which no valid delivery was sent, beside a control that was sent later and had its
 * effect. A kind of delivery that no such payment shows is absent from the result.
 */
export function effectsOfUnverified({ trials }: Pick<Evidence, 'trials'>): UnverifiedEffects {
  const kinds = new Map<Judgement | undefined, boolean>()
  for (const trial of trials) {
    if (trial.accepted !== true || !isObservable(trial)) continue
    const hasEffect = (trial.verdict.effects?.get(trial.delivery.paymentId ?? '') ?? []).length > 0
    kinds.set(trial.correct, kinds.get(trial.correct) === true || hasEffect)
  }
  return kinds
}

/** Whether forged deliveries had effects; undefined when nothing shows it. */
export function forgedHaveEffects(evidence: Pick<Evidence, 'trials'>): boolean | undefined {
  return effectsOfUnverified(evidence).get('forged')
}

const NOT_DUE: readonly (Observation | undefined)[] = ['fulfilled-not-due', 'reversed-not-due']

/** Open verdicts about effects of unsigned deliveries: they follow when a receiver does not verify. */
export function effectsWithoutSignature({ open }: Pick<Evidence, 'open'>): Verdict[] {
  return open.filter(
    ({ case: { section }, problems, exchanges }) =>
      section === 'bypass' &&
      problems.some(({ observed }) => NOT_DUE.includes(observed)) &&
      exchanges.some(({ delivery }) => delivery.change !== undefined),
  )
}

function isObservable({ verdict, delivery, shouldAccept, correct }: Trial): boolean {
  const { effects, exchanges } = verdict
  if (shouldAccept !== false && (correct === undefined || correct === 'accepted')) return false
  const control = exchanges.findLast((exchange) => exchange.delivery.role === 'control')?.delivery.paymentId
  if (control === undefined || delivery.paymentId === undefined) return false
  if (effects === undefined || !effects.has(delivery.paymentId)) return false
  const isPaid = exchanges.some(
    ({ delivery: other }) => other.paymentId === delivery.paymentId && other.change === undefined,
  )
  return !isPaid && (effects.get(control) ?? []).length > 0
}
