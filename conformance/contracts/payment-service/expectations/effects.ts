import type { Effect } from '../../../../schemas/types.ts'
import type { Delivery } from '../../webhook/delivery.ts'
import type { Expected, Wrong } from '../../webhook/finding.ts'
import type { Evidence, Expectation, Finding, Observation } from '../../webhook/model.ts'

/** The effects of one payment, oldest first, without their amounts. */
export type EffectNames = readonly Effect['effect'][]

const NOTHING: EffectNames = []
const REVERSED: EffectNames = ['reversed']
const FULFILLED_THEN_REVERSED: EffectNames = ['fulfilled', 'reversed']

/** A problem with the effects of a payment. A decisive one stays, whatever effects follow. */
interface WrongEffects {
  readonly wrong: Wrong
  readonly observed: Observation
  readonly decisive?: true
}

/** Every probe's payment was fulfilled exactly once, for the amount and currency that its event names (SPEC.md 9.1 to 9.3). */
export const fulfilledOnce = payments({ code: 'fulfilled_once' }, ['not-fulfilled'], wrongFulfillment)

/** The same of payments with different amounts: one that shows the amount of another is taken for it (SPEC.md 7.8). */
export const fulfilledOnceApart = payments(
  { code: 'fulfilled_once' },
  ['not-fulfilled'],
  (effects, delivery, all) => {
    const found = wrongFulfillment(effects, delivery)
    if (found?.wrong.code !== 'other_amount') return found
    const { amount, expected } = found.wrong
    const isOfAnother = all.some(
      ({ key, amount: own = expected }) => key !== delivery.key && sameAmount(own, amount),
    )
    return isOfAnother ? decisive({ code: 'amount_of_another', amount, expected }, 'not-fulfilled') : found
  },
)

function wrongFulfillment(effects: readonly Effect[], delivery: Delivery): WrongEffects | undefined {
  const times = count(effects, 'fulfilled')
  if (times > 1) return decisive({ code: 'fulfilled_often', times }, 'fulfilled-again')
  if (times === 0) return { wrong: { code: 'not_fulfilled' }, observed: 'not-fulfilled' }
  if (count(effects, 'reversed') > 0) return decisive({ code: 'reversed_without_refund' }, 'reversed-not-due')
  const difference = differentAmount(effects, delivery)
  return difference === undefined ? undefined : decisive(difference, 'fulfilled-wrongly')
}

/** Every probe that was acknowledged was fulfilled once, for its amount and currency (SPEC.md 6.5). */
export const fulfilledIfAcknowledged: Expectation = {
  kind: 'effects',
  expected: { code: 'fulfilled_if_acknowledged' },
  about: ['not-fulfilled'],
  check: (evidence) =>
    fulfilledOnce.check({
      ...evidence,
      exchanges: evidence.exchanges.filter(({ answer }) => answer?.status === 200),
    }),
}

/** No probe's payment has any effect (SPEC.md 5.7, 9.4 to 9.6 and 9.9). */
export const nothingHandled = payments({ code: 'nothing_handled' }, ['fulfilled-not-due'], handledAmong)

/**
 * No probe's payment has an effect with the amount of its event (SPEC.md 10.3). For keys that are not new in each run: what
 * is there may be of an earlier run, before the receiver was corrected.
 */
export const nothingHandledNow = payments(
  { code: 'nothing_handled' },
  ['fulfilled-not-due'],
  (effects, delivery) =>
    handledAmong(
      effects.filter((one) => one.effect === 'fulfilled' && differentAmount([one], delivery) === undefined),
    ),
)

/** Every probe's payment was fulfilled once and then reversed once (SPEC.md 9.7). */
export const fulfilledThenReversed = payments(
  { code: 'fulfilled_then_reversed' },
  ['not-reversed'],
  (effects) => {
    const order = effectNamesOf(effects)
    if (isSame(order, FULFILLED_THEN_REVERSED)) return undefined
    const observed = observedAmong(effects, [FULFILLED_THEN_REVERSED])
    const wrong: Wrong = { code: 'in_order', effects: order }
    return isStartOf(order, FULFILLED_THEN_REVERSED) ? { wrong, observed } : decisive(wrong, observed)
  },
)

/** Regardless of the order of events, nothing remains fulfilled and nothing is done twice (SPEC.md 9.8). */
export const nothingLeftFulfilled = payments(
  { code: 'nothing_left_fulfilled' },
  ['fulfilled-after-refund', 'not-reversed'],
  (effects) => {
    // A reversal undoes what was fulfilled before it: what is fulfilled afterwards remains.
    const left = effects.reduce(
      (remaining, { effect }) => (effect === 'fulfilled' ? remaining + 1 : Math.max(0, remaining - 1)),
      0,
    )
    const reversed = count(effects, 'reversed')
    const wrong: Wrong = { code: 'in_order', effects: effectNamesOf(effects) }
    // The reversal of a completion that was processed first may still follow.
    const observed = observedAmong(effects, [NOTHING, REVERSED, FULFILLED_THEN_REVERSED])
    if (left > 0) return left === 1 && reversed === 0 ? { wrong, observed } : decisive(wrong, observed)
    return reversed > 1 ? decisive({ code: 'reversed_often', times: reversed }, 'reversed-again') : undefined
  },
)

/** Every effect shows the livemode of its event (SPEC.md 9.11). */
export const livemodeShown: Expectation = {
  kind: 'effects',
  expected: { code: 'livemode_shown' },
  check: (evidence) => {
    for (const [paymentId, delivery] of paymentsOf(evidence)) {
      const effects = evidence.effects(paymentId)
      if (effects.length === 0) return { untested: { code: 'no_effect_shown' } }
      for (const { livemode } of effects) {
        if (livemode === undefined) {
          return { untested: { code: 'livemode_not_shown' }, decisive: true }
        }
        if (livemode !== delivery.livemode) {
          return {
            wrong: { code: 'other_livemode', livemode, expected: delivery.livemode },
            severity: 'money',
            decisive: true,
          }
        }
      }
    }
    return undefined
  },
}

/** No effect of a test payment says that it is live (SPEC.md 12.10); one that says nothing cannot be judged. */
export const notFulfilledAsLive: Expectation = {
  kind: 'effects',
  expected: { code: 'not_fulfilled_as_live' },
  check: (evidence) => {
    const effects = modesOf(evidence)
    const live = effects.find(({ livemode }) => livemode === true)
    if (live !== undefined)
      return {
        wrong: { code: 'shown_as_live' },
        payments: [live.paymentId],
        severity: 'money',
        decisive: true,
      }
    return effects.every(({ livemode }) => livemode === false)
      ? undefined
      : { untested: { code: 'livemode_of_test_not_shown' }, decisive: true }
  },
}

/** The same of a receiver that shows one of the payments as a test: one for tests alone may show each as live (SPEC.md 9.11). */
export const notAsLiveBesideTests: Expectation = {
  ...notFulfilledAsLive,
  check: (evidence) => {
    const shown = modesOf(evidence).map(({ livemode }) => livemode)
    return shown.includes(true) && !shown.includes(false) ? undefined : notFulfilledAsLive.check(evidence)
  },
}

function modesOf(evidence: Evidence) {
  return [...paymentsOf(evidence).keys()].flatMap((paymentId) =>
    evidence.effects(paymentId).map(({ livemode }) => ({ paymentId, livemode })),
  )
}

/** What is wrong with the amount or the currency of a fulfillment; undefined when nothing is, or nothing was fulfilled. */
export function differentAmount(effects: readonly Effect[], delivery: Delivery): Wrong | undefined {
  const effect = effects.find(({ effect }) => effect === 'fulfilled')
  if (effect === undefined) return undefined
  if (delivery.amount !== undefined && !sameAmount(effect.amount, delivery.amount))
    return { code: 'other_amount', amount: effect.amount, expected: delivery.amount }
  if (effect.currency !== delivery.currency)
    return { code: 'other_currency', currency: effect.currency, expected: delivery.currency }
  return undefined
}

function payments(
  expected: Expected,
  about: readonly Observation[],
  judge: (
    effects: readonly Effect[],
    delivery: Delivery,
    all: readonly Delivery[],
  ) => WrongEffects | undefined,
): Expectation {
  return {
    kind: 'effects',
    expected,
    about,
    check: (evidence): Finding => {
      const of = paymentsOf(evidence)
      const all = [...of.values()]
      const found = [...of].flatMap(([paymentId, delivery]) => {
        const wrong = judge(evidence.effects(paymentId), delivery, all)
        return wrong === undefined ? [] : { ...wrong, payments: [paymentId], change: delivery.change }
      })
      const worst = found.find((wrong) => wrong.decisive) ?? found[0]
      return worst && { ...worst, severity: 'money' }
    },
  }
}

function handledAmong(effects: readonly Effect[]): WrongEffects | undefined {
  if (effects.length === 0) return undefined
  const handled = effects.map(({ effect, amount }) => ({ effect, amount }))
  return decisive({ code: 'handled', effects: handled }, observedAmong(effects, [NOTHING]))
}

function decisive(wrong: Wrong, observed: Observation): WrongEffects {
  return { wrong, observed, decisive: true }
}

/** The payments of the probes, each with the delivery that states its amount: the completion where there is one. */
function paymentsOf({ exchanges }: Evidence): ReadonlyMap<string, Delivery> {
  const found = new Map<string, Delivery>()
  for (const { delivery } of exchanges) {
    const { key: paymentId, role } = delivery
    if (role !== 'probe' || paymentId === undefined) continue
    if (!found.has(paymentId) || delivery.event === 'payment.completed') found.set(paymentId, delivery)
  }
  return found
}

function count(effects: readonly Effect[], wanted: Effect['effect']): number {
  return effects.filter(({ effect }) => effect === wanted).length
}

/** Compares decimal strings by value without converting them to numbers: 25.0 and 25.00 are the same amount. */
function sameAmount(left: string, right: string): boolean {
  return plain(left) === plain(right)
}

function plain(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.replace(/0+$/, '')}`
}

/**
 * What is wrong with the effects of a payment.
 *
 * @param effects oldest first
 * @param allowed the outcomes that are right, oldest first
 */
export function observedAmong(effects: readonly Effect[], allowed: readonly EffectNames[]): Observation {
  const count = (wanted: Effect['effect']) => effects.filter(({ effect }) => effect === wanted).length
  const [fulfilled, reversed] = [count('fulfilled'), count('reversed')]
  const mayFulfill = allowed.some((outcome) => outcome.includes('fulfilled'))
  const mayReverse = allowed.some((outcome) => outcome.includes('reversed'))
  if (fulfilled > 0 && !mayFulfill) return mayReverse ? 'fulfilled-after-refund' : 'fulfilled-not-due'
  if (reversed > 0 && !mayReverse) return 'reversed-not-due'
  if (fulfilled > 1) return 'fulfilled-again'
  if (reversed > 1) return 'reversed-again'
  if (fulfilled === 0) return 'not-fulfilled'
  return reversed === 0 ? 'not-reversed' : 'fulfilled-after-refund'
}

/** The effects without their amounts. */
export const effectNamesOf = (effects: readonly Effect[]): EffectNames => effects.map(({ effect }) => effect)

/** Whether more effects can make the first outcome the second. */
export function isStartOf(start: EffectNames, whole: EffectNames): boolean {
  return start.length < whole.length && start.every((effect, index) => effect === whole[index])
}

export function isSame(one: EffectNames, other: EffectNames): boolean {
  return one.length === other.length && one.every((effect, index) => effect === other[index])
}
