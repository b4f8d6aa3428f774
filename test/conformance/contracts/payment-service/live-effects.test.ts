import { expect, it } from 'vitest'
import {
  effectsOfLiveEvents,
  fulfilledOnceAsLive,
} from '../../../../conformance/contracts/payment-service/expectations/live-effects.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { Effect } from '../../../../schemas/types.ts'
import { evidence, exchange, worded } from '../../report/evidence.ts'

const PAID: Partial<Delivery> = {
  event: 'payment.completed',
  key: 'tx_1',
  amount: '25.00',
  currency: 'USD',
  livemode: true,
}
const live: Partial<Effect> = { effect: 'fulfilled', livemode: true }
const testOnes: Partial<Effect>[] = [
  { effect: 'fulfilled', amount: '1.00', livemode: false },
  { effect: 'reversed', livemode: false },
]
const found = (...effects: Partial<Effect>[]) =>
  worded(
    effectsOfLiveEvents.check(
      evidence([exchange(200, { ...PAID, livemode: false, role: 'context' }), exchange(200, PAID)], {
        tx_1: effects,
      }),
    ),
  )

it('holds for the effects of the live events, whatever test effects stand beside them', () => {
  expect(found(live)).toBeUndefined()
  expect(found(...testOnes, live)).toBeUndefined()
  expect(found(live, ...testOnes)).toBeUndefined()
})

it('does not hold without the live effect, which may still follow', () => {
  expect(found(...testOnes)).toEqual({
    problem: 'after completed (tx_1): no effect; allowed: fulfilled',
    observed: 'not-fulfilled',
    severity: 'money',
  })
})

it('does not hold for a live reversal', () => {
  expect(found(live, { effect: 'reversed', livemode: true })).toMatchObject({
    problem: 'after completed (tx_1): fulfilled and then reversed; allowed: fulfilled',
    decisive: true,
  })
})

it('is not tested where an effect has no livemode', () => {
  expect(found(live, { effect: 'reversed' })).toMatchObject({ untested: expect.stringContaining('livemode') })
})

it('says of a live payment that was fulfilled as a test that it was', () => {
  const check = (...effects: Partial<Effect>[]) =>
    worded(fulfilledOnceAsLive.check(evidence([exchange(200, PAID)], { tx_1: effects })))
  expect(check({ effect: 'fulfilled', livemode: false })).toMatchObject({
    problem: 'tx_1: fulfilled, but as a test payment (livemode false); not fulfilled as a live one',
    observed: 'not-fulfilled',
  })
  expect(check()).toMatchObject({ problem: 'tx_1: not fulfilled' })
  expect(check(live)).toBeUndefined()
})
