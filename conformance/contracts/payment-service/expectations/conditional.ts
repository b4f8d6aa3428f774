import { accepted, BUSY } from '../../webhook/expectations/expect.ts'
import type { Evidence, Exchange, Expectation } from '../../webhook/model.ts'
import { fulfilledOnce } from './effects.ts'

/**
 * Every probe is accepted, or asked to come again while the receiver works on another event of its payment: the interface
 * does not say what the service does then, so a case that sends such events judges only what was acknowledged.
 */
export const acceptedUnlessBusy: Expectation = {
  ...accepted,
  expected: { code: 'accepted_unless_busy', statuses: BUSY },
  check: (evidence) =>
    accepted.check({
      ...evidence,
      exchanges: evidence.exchanges.filter(({ answer }) => !BUSY.includes(answer?.status ?? 0)),
    }),
}

/** The expectation for the payments of which the receiver acknowledged each event, at least in one of its copies. */
export function ifAcknowledged(expectation: Expectation): Expectation {
  return {
    ...expectation,
    check: (evidence) => {
      const keyOf = ({ delivery: { key: paymentId, event } }: Exchange) => `${paymentId} ${event}`
      const acknowledged = new Set(
        evidence.exchanges.filter(({ answer }) => answer?.status === 200).map(keyOf),
      )
      const others = evidence.exchanges.filter((exchange) => !acknowledged.has(keyOf(exchange)))
      const notJudged = new Set(others.map(({ delivery }) => delivery.key))
      return expectation.check({
        ...evidence,
        exchanges: evidence.exchanges.filter(({ delivery }) => !notJudged.has(delivery.key)),
      })
    },
  }
}

const fieldsOf = ({ delivery }: Exchange) => JSON.parse(delivery.body.toString()) as Record<string, unknown>

/** A payment that the receiver may set aside or refuse is fulfilled once and exactly, if at all. */
export const fulfilledExactlyIfAtAll: Expectation = {
  ...fulfilledOnce,
  expected: { code: 'fulfilled_exactly_if_at_all' },
  about: ['fulfilled-wrongly', 'fulfilled-again'],
  check: (evidence) =>
    fulfilledOnce.check({
      ...evidence,
      exchanges: evidence.exchanges.filter(({ delivery }) => evidence.effects(delivery.key ?? '').length > 0),
    }),
}

/**
 * A receiver that fulfills simulated payments fulfills those in the sparse form too, each once and for its amount. One that
 * fulfills none may ignore what a test checkout sends; what it fulfills has to be right (SPEC.md 9.1).
 */
export const sparseFulfilledLikeFull: Expectation = {
  ...fulfilledOnce,
  expected: { code: 'sparse_like_full' },
  check: (evidence) => {
    const isShown = ({ delivery }: Exchange) => evidence.effects(delivery.key ?? '').length > 0
    const full = evidence.exchanges.filter(
      (exchange) => exchange.delivery.role === 'probe' && 'payment_id' in fieldsOf(exchange),
    )
    const exchanges = full.some(isShown) ? evidence.exchanges : evidence.exchanges.filter(isShown)
    return fulfilledOnce.check({ ...evidence, exchanges })
  },
}

/** No reversal shows the amount or the currency by which another rail settled the payment (SPEC.md 9.17). */
export const notReversedAsSettled: Expectation = {
  kind: 'effects',
  expected: { code: 'not_reversed_as_settled' },
  check: ({ exchanges, effects }: Evidence) => {
    for (const exchange of exchanges) {
      const { key: paymentId = '', role } = exchange.delivery
      const settled = Object(fieldsOf(exchange)['settled_via']) as Record<string, unknown>
      const reversal = effects(paymentId).find(({ effect }) => effect === 'reversed')
      if (role !== 'probe' || reversal === undefined) continue
      const { amount, currency } = reversal
      if (amount === settled['amount'] || currency === settled['currency'])
        return {
          wrong: { code: 'reversed_as_settled', amount, currency },
          payments: [paymentId],
          severity: 'money',
          decisive: true,
        }
    }
    return undefined
  },
}
