import type { Effect } from '../../schemas/types.ts'
import type { Delivery } from './delivery.ts'
import type { Evidence, Expectation, Finding } from './model.ts'

/** Every probe's payment was fulfilled exactly once, for the amount and currency that its event names (SPEC.md 9.1 to 9.3). */
export const fulfilledOnce = payments(
  'every payment is fulfilled once, for its amount',
  (effects, delivery) => {
    const times = count(effects, 'fulfilled')
    if (times !== 1) return times === 0 ? 'not fulfilled' : `fulfilled ${times} times`
    if (count(effects, 'reversed') > 0) return 'fulfilled, but reversed without a refund'
    const effect = effects.find(({ effect }) => effect === 'fulfilled')
    const differs =
      effect !== undefined && delivery.amount !== undefined && !sameAmount(effect.amount, delivery.amount)
    if (differs) return `fulfilled for ${effect.amount}, but amount is ${delivery.amount}`
    if (effect?.currency !== delivery.currency)
      return `fulfilled in ${effect?.currency}, but currency is ${delivery.currency}`
    return undefined
  },
)

/** No probe's payment has any effect (SPEC.md 5.7, 9.4 to 9.6 and 9.9). */
export const nothingHandled = payments('nothing is fulfilled or reversed', (effects) =>
  effects.length === 0
    ? undefined
    : effects.map(({ effect, amount }) => `${effect} for ${amount}`).join(', '),
)

/** Every probe's payment was fulfilled once and then reversed once (SPEC.md 9.7). */
export const fulfilledThenReversed = payments(
  'the payment is fulfilled once, then reversed once',
  (effects) => {
    const order = effects.map(({ effect }) => effect).join(', then ')
    return order === 'fulfilled, then reversed' ? undefined : order === '' ? 'no effect' : order
  },
)

/** Regardless of the order of events, nothing remains fulfilled and nothing is done twice (SPEC.md 9.8). */
export const nothingLeftFulfilled = payments(
  'nothing remains fulfilled, and nothing is done twice',
  (effects) => {
    // A reversal undoes what was fulfilled before it: what is fulfilled afterwards remains.
    const left = effects.reduce(
      (remaining, { effect }) => (effect === 'fulfilled' ? remaining + 1 : Math.max(0, remaining - 1)),
      0,
    )
    if (left > 0) return effects.map(({ effect }) => effect).join(', then ')
    const reversed = count(effects, 'reversed')
    return reversed > 1 ? `reversed ${reversed} times` : undefined
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
        if (livemode === undefined) return { untested: 'the receiver showed an effect without livemode' }
        if (livemode !== delivery.livemode) {
          return {
            problem: `livemode is ${livemode}, but ${delivery.livemode} in the event`,
            severity: 'money',
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
      }
    return effects.every(({ livemode }) => livemode === false)
      ? undefined
      : { untested: 'the receiver showed an effect of a test payment without livemode' }
  },
}

function payments(
  expected: string,
  judge: (effects: readonly Effect[], delivery: Delivery) => string | undefined,
): Expectation {
  return {
    kind: 'effects',
    expected,
    check: (evidence): Finding => {
      for (const [paymentId, delivery] of paymentsOf(evidence)) {
        const problem = judge(evidence.effects(paymentId), delivery)
        if (problem !== undefined) return { problem: `${paymentId}: ${problem}`, severity: 'money' }
      }
      return undefined
    },
  }
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
