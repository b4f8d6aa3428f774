import { expect, test } from 'vitest'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import { shownEffect } from '../../../conformance/crash/burst.ts'
import type { Payment } from '../../../conformance/crash/payments.ts'
import { failed, type Observer } from '../../../conformance/engine/observe/observe.ts'
import type { Effect } from '../../../schemas/types.ts'

const kit = createKit('crash', { secret: 'whsec_of_the_test', seed: 's', mode: 'test', now: () => 1 })
const FULFILLED: Effect = { event: 'payment.completed', effect: 'fulfilled', amount: '1.00', currency: 'USD' }

function payment({ status = 200, isRefunded = false } = {}): Payment {
  const completed = kit.delivery('completed')
  const sent = [{ delivery: completed, sentAt: 0, answeredAt: 1, status, error: undefined }]
  const refund = isRefunded ? kit.delivery('refund') : undefined
  return { id: completed.key ?? '', completed, refund, isRepeated: false, sent }
}

/** @param shown whether an effect shows, by the number of the look at that payment */
function watching(shown: (id: string, look: number) => boolean): {
  observer: Observer<Effect>
  looks: string[]
} {
  const looks: string[] = []
  const effects = async (id: string): Promise<readonly Effect[]> => {
    looks.push(id)
    return shown(id, looks.filter((one) => one === id).length) ? [FULFILLED] : []
  }
  return { observer: { effects, intervalMs: 2, parallel: 2, sample: 10 }, looks }
}

test('resolves at the first look that shows the effect of a payment that had none', async () => {
  const one = payment()
  const { observer, looks } = watching((_, look) => look === 3)
  await shownEffect([one], observer, () => false)
  expect(looks).toEqual([one.id, one.id, one.id])
})

test('an effect that was there before comes too late to say when it came', async () => {
  const [early, late] = [payment(), payment()]
  const { observer, looks } = watching((id, look) => id === early.id || look === 2)
  await shownEffect([early, late], observer, () => false)
  expect(looks).toEqual([early.id, late.id, late.id])
})

test('effects that come with their acknowledgments are not awaited forever', async () => {
  const { observer, looks } = watching(() => true)
  const payments = [payment(), payment(), payment(), payment()]
  await shownEffect(payments, observer, () => false)
  expect(looks).toEqual(payments.slice(0, 3).map(({ id }) => id))
})

test('waits for payments that were acknowledged and are not refunded', async () => {
  const payments = [payment({ status: 500 }), payment({ isRefunded: true })]
  const { observer, looks } = watching((_, look) => look === 2)
  setTimeout(() => payments.push(payment()), 10)
  await shownEffect(payments, observer, () => false)
  expect(looks).toEqual([payments[2]?.id, payments[2]?.id])
})

test('ends when the receiver was killed, also while nothing can be observed', async () => {
  let looks = 0
  const effects = () => {
    looks += 1
    return Promise.reject(failed('http://127.0.0.1/', { code: 'other_status', status: 503 }))
  }
  const observer: Observer<Effect> = { effects, intervalMs: 2, parallel: 2, sample: 10 }
  await shownEffect([payment()], observer, () => looks >= 2)
  expect(looks).toBe(2)
})
