import type { Effect } from '../../../../schemas/types.ts'
import type { Delivery } from '../delivery.ts'
import type { Evidence, Expectation, Finding, Observation } from '../model.ts'
import { observedIn } from './observed.ts'

/** A problem with the effects of a payment. A decisive one stays, whatever effects follow. */
type Wrong = { readonly problem: string; readonly observed: Observation; readonly decisive?: true }

/** Every probe's payment was fulfilled exactly once, for the amount and currency that its event names (SPEC.md 9.1 to 9.3). */
export const fulfilledOnce = payments(
  'every payment is fulfilled once, for its amount',
  ['not-fulfilled'],
  (effects, delivery) => {
    const times = count(effects, 'fulfilled')
    if (times > 1) return decisive(`fulfilled ${times} times`, 'fulfilled-again')
    if (times === 0) return { problem: 'not fulfilled', observed: 'not-fulfilled' }
    if (count(effects, 'reversed') > 0)
      return decisive('fulfilled, but reversed without a refund', 'reversed-not-due')
    const difference = differentAmount(effects, delivery)
    return difference === undefined ? undefined : decisive(difference, 'fulfilled-wrongly')
  },
)

/** Every probe that was acknowledged was fulfilled once, for its amount and currency (SPEC.md 6.5). */
export const fulfilledIfAcknowledged: Expectation = {
  kind: 'effects',
  expected: 'every payment that was acknowledged is fulfilled once, for its amount',
  about: ['not-fulfilled'],
  check: (evidence) =>
    fulfilledOnce.check({
      ...evidence,
      exchanges: evidence.exchanges.filter(({ answer }) => answer?.status === 200),
    }),
}

/** No probe's payment has any effect (SPEC.md 5.7, 9.4 to 9.6 and 9.9). */
export const nothingHandled = payments(
  'nothing is fulfilled or reversed',
  ['fulfilled-not-due'],
  (effects) =>
    effects.length === 0
      ? undefined
      : decisive(
          effects.map(({ effect, amount }) => `${effect} for ${amount}`).join(', '),
          observedIn(effects, ['nothing']),
        ),
)

/** Every probe's payment was fulfilled once and then reversed once (SPEC.md 9.7). */
export const fulfilledThenReversed = payments(
  'the payment is fulfilled once, then reversed once',
  ['not-reversed'],
  (effects) => {
    const order = effects.map(({ effect }) => effect).join(', then ')
    if (order === 'fulfilled, then reversed') return undefined
    const observed = observedIn(effects, ['fulfilled, then reversed'])
    if (order === '') return { problem: 'no effect', observed }
    return order === 'fulfilled' ? { problem: order, observed } : decisive(order, observed)
  },
)

/** Regardless of the order of events, nothing remains fulfilled and nothing is done twice (SPEC.md 9.8). */
export const nothingLeftFulfilled = payments(
  'nothing remains fulfilled, and nothing is done twice',
  ['fulfilled-after-refund', 'not-reversed'],
  (effects) => {
    // A reversal undoes what was fulfilled before it: what is fulfilled afterwards remains.
    const left = effects.reduce(
      (remaining, { effect }) => (effect === 'fulfilled' ? remaining + 1 : Math.max(0, remaining - 1)),
      0,
    )
    const reversed = count(effects, 'reversed')
    const order = effects.map(({ effect }) => effect).join(', then ')
    // The reversal of a completion that was processed first may still follow.
    const observed = observedIn(effects, ['nothing', 'reversed', 'fulfilled, then reversed'])
    if (left > 0)
      return left === 1 && reversed === 0 ? { problem: order, observed } : decisive(order, observed)
    return reversed > 1 ? decisive(`reversed ${reversed} times`, 'reversed-again') : undefined
  },
)

/** Every effect shows the livemode of its event (SPEC.md 9.11). */
export const livemodeShown: Expectation = {
  kind: 'effects',
  expected: "every effect shows its event's livemode",
  check: (evidence) => {
    for (const [paymentId, delivery] of paymentsOf(evidence)) {
      const effects = evidence.effects(paymentId)
      if (effects.length === 0) return { untested: 'the receiver showed no effect of the payment' }
      for (const { livemode } of effects) {
        if (livemode === undefined) {
          return { untested: 'the receiver showed an effect without livemode', decisive: true }
        }
        if (livemode !== delivery.livemode) {
          return {
            problem: `livemode is ${livemode}, but ${delivery.livemode} in the event`,
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
  expected: 'no test payment is fulfilled as a live one',
  check: (evidence) => {
    const effects = [...paymentsOf(evidence).keys()].flatMap((paymentId) =>
      evidence.effects(paymentId).map(({ livemode }) => ({ paymentId, livemode })),
    )
    const live = effects.find(({ livemode }) => livemode === true)
    if (live !== undefined)
      return {
        problem: `${live.paymentId}: an effect with livemode true, but false in the event`,
        severity: 'money',
        decisive: true,
      }
    return effects.every(({ livemode }) => livemode === false)
      ? undefined
      : { untested: 'the receiver showed an effect of a test payment without livemode', decisive: true }
  },
}

/** What is wrong with the amount or the currency of a fulfillment; undefined when nothing is, or nothing was fulfilled. */
export function differentAmount(effects: readonly Effect[], delivery: Delivery): string | undefined {
  const effect = effects.find(({ effect }) => effect === 'fulfilled')
  if (effect === undefined) return undefined
  if (delivery.amount !== undefined && !sameAmount(effect.amount, delivery.amount))
    return `fulfilled for ${effect.amount}, but amount is ${delivery.amount}`
  if (effect.currency !== delivery.currency)
    return `fulfilled in ${effect.currency}, but currency is ${delivery.currency}`
  return undefined
}

function payments(
  expected: string,
  about: readonly Observation[],
  judge: (effects: readonly Effect[], delivery: Delivery) => Wrong | undefined,
): Expectation {
  return {
    kind: 'effects',
    expected,
    about,
    check: (evidence): Finding => {
      const found = [...paymentsOf(evidence)].flatMap(([paymentId, delivery]) => {
        const wrong = judge(evidence.effects(paymentId), delivery)
        const cause = delivery.change === undefined ? '' : ` (${delivery.change})`
        return wrong === undefined ? [] : { ...wrong, problem: `${paymentId}: ${wrong.problem}${cause}` }
      })
      const worst = found.find((wrong) => wrong.decisive) ?? found[0]
      return worst && { ...worst, severity: 'money' }
    },
  }
}

function decisive(problem: string, observed: Observation): Wrong {
  return { problem, observed, decisive: true }
}

/** The payments of the probes, each with the delivery that states its amount: the completion where there is one. */
function paymentsOf({ exchanges }: Evidence): ReadonlyMap<string, Delivery> {
  const found = new Map<string, Delivery>()
  for (const { delivery } of exchanges) {
    const { paymentId, role } = delivery
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
