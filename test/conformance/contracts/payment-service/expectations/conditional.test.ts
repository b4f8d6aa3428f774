import { describe, expect, it } from 'vitest'
import {
  acceptedUnlessBusy,
  ifAcknowledged,
  notReversedAsSettled,
  sparseFulfilledLikeFull,
} from '../../../../../conformance/contracts/payment-service/expectations/conditional.ts'
import { fulfilledThenReversed } from '../../../../../conformance/contracts/payment-service/expectations/effects.ts'
import type { Delivery } from '../../../../../conformance/contracts/webhook/delivery.ts'
import type { Effect } from '../../../../../schemas/types.ts'
import { evidence, exchange, worded } from '../../../report/evidence.ts'

const PAID: Partial<Delivery> = {
  key: 'tx_1',
  event: 'payment.completed',
  amount: '25.00',
  currency: 'USD',
}
const REFUND: Partial<Delivery> = { ...PAID, event: 'payment.refunded' }
const fulfilled: Partial<Effect> = { effect: 'fulfilled' }
const bodyOf = (event: object) => ({ body: Buffer.from(JSON.stringify(event)) })

describe('acceptedUnlessBusy', () => {
  it.each([409, 425, 503])('allows a response of %d to an event', (status) => {
    const exchanges = [exchange(200, PAID), exchange(status, REFUND)]
    expect(worded(acceptedUnlessBusy.check(evidence(exchanges)))).toBeUndefined()
  })

  it('does not allow a refusal', () => {
    const exchanges = [exchange(200, PAID), exchange(401, REFUND)]
    expect(worded(acceptedUnlessBusy.check(evidence(exchanges)))).toMatchObject({ severity: 'protocol' })
  })
})

describe('ifAcknowledged', () => {
  const check = (refundStatuses: number[]) =>
    worded(
      ifAcknowledged(fulfilledThenReversed).check(
        evidence([exchange(200, PAID), ...refundStatuses.map((status) => exchange(status, REFUND))], {
          tx_1: [fulfilled],
        }),
      ),
    )

  it('judges a payment of which one copy of each event was acknowledged', () => {
    expect(check([409, 200])).toMatchObject({ problem: 'tx_1: fulfilled' })
  })

  it('does not judge a payment of which an event was never acknowledged', () => {
    expect(check([409, 503])).toBeUndefined()
  })
})

describe('sparseFulfilledLikeFull', () => {
  const FULL = { ...PAID, ...bodyOf({ id: 'tx_1', payment_id: 'tx_1' }) }
  const SPARSE = { ...PAID, key: 'tx_2', ...bodyOf({ id: 'tx_2' }) }
  const check = (effects: Record<string, Partial<Effect>[]>) =>
    worded(sparseFulfilledLikeFull.check(evidence([exchange(200, FULL), exchange(200, SPARSE)], effects)))

  it.each<[string, Record<string, Partial<Effect>[]>]>([
    ['both', { tx_1: [fulfilled], tx_2: [fulfilled] }],
    ['neither', {}],
    ['the sparse one alone', { tx_2: [fulfilled] }],
  ])('holds when %s is fulfilled', (_, effects) => {
    expect(check(effects)).toBeUndefined()
  })

  it('does not hold when the full one alone is fulfilled', () => {
    expect(check({ tx_1: [fulfilled] })).toMatchObject({ problem: 'tx_2: not fulfilled' })
  })

  it('does not hold when the sparse one is fulfilled for another amount', () => {
    const problem = 'tx_2: fulfilled for 1.00, but amount is 25.00'
    expect(check({ tx_2: [{ ...fulfilled, amount: '1.00' }] })).toMatchObject({ problem, decisive: true })
  })
})

describe('notReversedAsSettled', () => {
  const settled_via = { rail: 'PIX', amount: '135.40', currency: 'BRL' }
  const check = (reversal: Partial<Effect>) => {
    const refund = { ...REFUND, ...bodyOf({ amount: '25.00', currency: 'USD', settled_via }) }
    return worded(
      notReversedAsSettled.check(
        evidence([exchange(200, refund)], { tx_1: [fulfilled, { ...reversal, effect: 'reversed' }] }),
      ),
    )
  }

  it.each([
    { amount: '25.00', currency: 'USD' },
    { amount: '0', currency: 'USD' },
  ])('allows a reversal for $amount $currency', (reversal) => {
    expect(check(reversal)).toBeUndefined()
  })

  it.each([
    { amount: '135.40', currency: 'BRL' },
    { amount: '135.40', currency: 'USD' },
    { amount: '25.00', currency: 'BRL' },
  ])('does not allow one for $amount $currency', (reversal) => {
    expect(check(reversal)).toMatchObject({ severity: 'money', decisive: true })
  })
})
