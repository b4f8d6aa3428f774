import type { Effect } from '../../../../schemas/types.ts'
import type { Delivery } from '../../webhook/delivery.ts'
import type { Problematic } from '../../webhook/finding.ts'
import type { Evidence, Expectation, Observation } from '../../webhook/model.ts'
import {
  differentAmount,
  type EffectNames,
  effectNamesOf,
  isSame,
  isStartOf,
  observedAmong,
} from './effects.ts'

/** The five events of a payment, by their names without `payment.` (Interface 6). */
const HAPPENINGS = ['completed', 'failed', 'partial', 'refunded', 'expired'] as const
export type Happening = (typeof HAPPENINGS)[number]

const NOTHING: EffectNames = []
const FULFILLED: EffectNames = ['fulfilled']
const REVERSED: EffectNames = ['reversed']
const FULFILLED_THEN_REVERSED: EffectNames = ['fulfilled', 'reversed']

/** Every ordered pair and triple of the events that begins with the given one; an event may occur again. */
export function sequencesFrom(first: Happening): readonly (readonly Happening[])[] {
  const pairs = HAPPENINGS.map((second) => [first, second] as const)
  return [...pairs, ...pairs.flatMap((pair) => HAPPENINGS.map((third) => [...pair, third] as const))]
}

/** Whether a receiver MUST show the payment as fulfilled after these events, before the next one is sent. */
export function isFulfilledAfter(sequence: readonly Happening[]): boolean {
  return sequence.length > 0 && shownAfter(sequence).every((shown) => isSame(shown, FULFILLED))
}

/**
 * Every outcome that the contract allows for the events of a payment, when a refund that follows a completion is sent only
 * after the fulfillment was seen. It holds for any order in which a receiver processes the others (SPEC.md 9.4 to 9.14).
 */
export function shownAfter(sequence: readonly Happening[]): readonly EffectNames[] {
  const completed = sequence.indexOf('completed')
  const refunded = sequence.indexOf('refunded')
  // A receiver may ignore a refund of what it has not fulfilled (9.8).
  if (completed < 0) return refunded < 0 ? [NOTHING] : [NOTHING, REVERSED]
  // A receiver may regard an expired payment as closed (9.14).
  const mayBeClosed = sequence.slice(0, completed).includes('expired')
  if (refunded < 0) return mayBeClosed ? [FULFILLED, NOTHING] : [FULFILLED]
  return completed < refunded && !mayBeClosed
    ? [FULFILLED_THEN_REVERSED]
    : [NOTHING, REVERSED, FULFILLED_THEN_REVERSED]
}

/** Every probe's payment has the effects that its events allow, in the order in which they were sent (SPEC.md 9.12). */
export const effectsOfSequences: Expectation = {
  kind: 'effects',
  expected: { code: 'effects_of_sequences' },
  about: ['not-fulfilled', 'not-reversed'],
  check: (evidence) => {
    const found = [...deliveriesOf(evidence)].flatMap(
      ([paymentId, deliveries]) => problemOf(paymentId, deliveries, evidence.effects(paymentId)) ?? [],
    )
    return found.find(({ decisive }) => decisive === true) ?? found[0]
  },
}

function problemOf(
  paymentId: string,
  deliveries: readonly Delivery[],
  effects: readonly Effect[],
): Problematic | undefined {
  const sequence = deliveries.map(({ event }) => happening(event))
  const allowed = shownAfter(sequence)
  const shown = effectNamesOf(effects)
  const completion = deliveries.find(({ event }) => event === 'payment.completed')
  const other = completion && differentAmount(effects, completion)
  if (other === undefined && allowed.some((outcome) => isSame(outcome, shown))) return undefined
  // What is missing may still follow.
  const isOpen =
    other === undefined && (shown.length === 0 || allowed.some((outcome) => isStartOf(shown, outcome)))
  return {
    wrong: { code: 'after_sequence', sequence, effects: shown, allowed, other },
    payments: [paymentId],
    severity: 'money',
    observed: other === undefined ? observedOf(sequence, effects, allowed) : 'fulfilled-wrongly',
    ...(isOpen ? {} : { decisive: true }),
  }
}

/** A refund that came first was forgotten; one that came later reversed nothing, or what was not fulfilled. */
function observedOf(
  sequence: readonly Happening[],
  effects: readonly Effect[],
  allowed: readonly EffectNames[],
): Observation {
  const observed = observedAmong(effects, allowed)
  if (observed === 'not-fulfilled' && effects.some(({ effect }) => effect === 'reversed'))
    return 'reversed-not-due'
  const refunded = sequence.indexOf('refunded')
  const isEarly = refunded >= 0 && refunded < sequence.indexOf('completed')
  return observed === 'not-reversed' && isEarly ? 'fulfilled-after-refund' : observed
}

/** The deliveries of each probe's payment, in the order in which they were sent. */
function deliveriesOf({ exchanges }: Evidence): ReadonlyMap<string, readonly Delivery[]> {
  const found = new Map<string, Delivery[]>()
  for (const { delivery } of exchanges) {
    const { key: paymentId, role } = delivery
    if (role !== 'probe' || paymentId === undefined) continue
    const before = found.get(paymentId)
    if (before === undefined) found.set(paymentId, [delivery])
    else before.push(delivery)
  }
  return found
}

function happening(event: string | undefined): Happening {
  const found = HAPPENINGS.find((name) => event === `payment.${name}`)
  if (found === undefined) throw new Error(`${event} is not an event of a sequence`)
  return found
}
