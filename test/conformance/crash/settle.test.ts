import { expect, test } from 'vitest'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import type { Payment } from '../../../conformance/crash/payments.ts'
import { settle } from '../../../conformance/crash/settle.ts'
import { failed, type Observer } from '../../../conformance/engine/observe/observe.ts'
import type { Effect } from '../../../schemas/types.ts'

const kit = createKit('crash', { secret: 'whsec_of_the_test', seed: 's', mode: 'test', now: () => 1 })
const FULFILLED: Effect = { event: 'payment.completed', effect: 'fulfilled', amount: '1.00', currency: 'USD' }

function acknowledged(): Payment {
  const completed = kit.delivery('completed')
  const sent = [{ delivery: completed, sentAt: 0, answeredAt: 1, status: 200, error: undefined }]
  return { id: completed.key ?? '', completed, refund: undefined, isRepeated: false, sent }
}

const observerOf = (effects: (id: string) => readonly Effect[]): Observer<Effect> => ({
  effects: async (id) => effects(id),
  intervalMs: 2,
  parallel: 2,
  sample: 10,
})

test('ends as soon as no effect is missing', async () => {
  const { wrong } = await settle([acknowledged()], {
    observer: observerOf(() => [FULFILLED]),
    recoverWithinMs: 60_000,
    signal: undefined,
  })
  expect(wrong.size).toBe(0)
})

test('a payment without an effect is lost only when nothing has moved for the time to recover', async () => {
  const payment = acknowledged()
  const { wrong, quietMs } = await settle([payment], {
    observer: observerOf(() => []),
    recoverWithinMs: 20,
    signal: undefined,
  })
  expect(wrong.get(payment)).toMatchObject({ kind: 'missing', observed: { fulfilled: 0, reversed: 0 } })
  expect(quietMs).toBeGreaterThanOrEqual(20)
})

test('a backlog that drains slowly is no loss', async () => {
  const payments = [acknowledged(), acknowledged(), acknowledged(), acknowledged()]
  const started = performance.now()
  // Each effect follows the last one within the time to recover, all of them only after it.
  const observer = observerOf((id) => {
    const due = (payments.findIndex((payment) => payment.id === id) + 1) * 40
    return performance.now() - started >= due ? [FULFILLED] : []
  })
  const { wrong } = await settle(payments, { observer: observer, recoverWithinMs: 110, signal: undefined })
  expect(wrong.size).toBe(0)
})

test('what is doubled needs no waiting', async () => {
  const payment = acknowledged()
  const { wrong } = await settle([payment], {
    observer: observerOf(() => [FULFILLED, FULFILLED]),
    recoverWithinMs: 60_000,
    signal: undefined,
  })
  expect(wrong.get(payment)).toMatchObject({ kind: 'doubled', observed: { fulfilled: 2, reversed: 0 } })
})

test('effects that cannot be observed are no loss', async () => {
  const observer = {
    ...observerOf(() => []),
    effects: () => Promise.reject(failed('http://127.0.0.1/', { code: 'other_status', status: 500 })),
  }
  await expect(
    settle([acknowledged()], { observer: observer, recoverWithinMs: 10, signal: undefined }),
  ).rejects.toMatchObject({ failure: { why: { status: 500 } } })
})

test('says what it waits for', async () => {
  const said = new Set<string>()
  await settle([acknowledged(), acknowledged()], {
    observer: observerOf(() => []),
    recoverWithinMs: 10,
    signal: undefined,
    onWaiting: (what) => said.add(what),
  })
  expect([...said]).toEqual(['waiting for effects: 2 payments'])
})
