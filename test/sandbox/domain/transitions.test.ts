import { expect, test } from 'vitest'
import type { Action } from '../../../sandbox/domain/actions.ts'
import { explain, validate } from '../../../schemas/validate.ts'
import { call, composed, control, payment, sharedSandbox } from '../support.ts'

const shared = sharedSandbox()

type Body = Record<string, unknown>

/** Applies actions to a new payment, and returns the body of the last event. */
async function lastEvent(actions: Action[], given: object = {}, live = false): Promise<Body> {
  const on = shared()
  const id = await payment(on, { metadata: { order: 'SO-1' }, ...given }, live ? on.liveKey : on.testKey)
  let body: Body = {}
  for (const action of actions) {
    body = JSON.parse(Buffer.from(on.act(id, action).event.body).toString())
    expect(explain(validate('event.strict', body))).toBe('')
  }
  const { timestamp, ...rest } = body
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect([rest['id'], rest['payment_id'], rest['order_id']]).toEqual([id, id, id])
  const { id: _, payment_id: __, order_id: ___, ...facts } = rest
  return facts
}

const ordinary = { amount: '25.00', currency: 'USD', livemode: false, metadata: { order: 'SO-1' } }
const card = { payment_method: 'card', processor: 'crypto_onramp' }
const COMPLETED = { event: 'payment.completed', status: 'completed', ...ordinary }

test('Simulate Success (6 rule 2)', async () => {
  const body = await lastEvent([{ type: 'succeed', simulated: true }])
  expect(body).toEqual({ ...COMPLETED, ...card, test: true })
})

test('Simulate Failure (2.2 rule 3)', async () => {
  expect(
    await lastEvent([{ type: 'fail', simulated: true, code: 'card_declined', reason: 'never shown' }]),
  ).toEqual({
    event: 'payment.failed',
    status: 'failed',
    ...ordinary,
    ...card,
    test: true,
    failure_code: 'card_declined',
    failure_reason: 'Simulated failure',
  })
})

test('a live payment has livemode true and cannot be simulated', async () => {
  const pix = { livemode: true, payment_method: 'pix', processor: 'regional' }
  expect(await lastEvent([{ type: 'succeed', method: 'pix' }], {}, true)).toEqual({ ...COMPLETED, ...pix })
  await expect(lastEvent([{ type: 'succeed', simulated: true }], {}, true)).rejects.toThrow(
    'only test payments',
  )
})

test('a failure without a code is a provider_error (7.4)', async () => {
  const body = await lastEvent([{ type: 'fail' }])
  expect(body['failure_code']).toBe('provider_error')
  expect(body).not.toHaveProperty('test')
})

test('partial crypto payments add up, and an accepted underpayment completes (2.2, amount_requested)', async () => {
  const parts: Action[] = [
    { type: 'pay_part', method: 'crypto', amount: '10.5' },
    { type: 'pay_part', amount: '10' },
  ]
  const crypto = { payment_method: 'crypto', processor: 'crypto' }
  const partial = { event: 'payment.partial', status: 'failed', amount_received: '20.50' }
  expect(await lastEvent(parts)).toEqual({ ...ordinary, ...partial, ...crypto })
  const short = { amount: '20.50', amount_requested: '25.00' }
  expect(await lastEvent([...parts, { type: 'accept_short' }])).toEqual({ ...COMPLETED, ...short, ...crypto })
  const whole = await lastEvent([...parts, { type: 'pay_part', amount: '4.5' }])
  expect(whole).toMatchObject({ event: 'payment.completed', amount: '25.00' })
  expect(whole).not.toHaveProperty('amount_requested')
})

test.each([
  ['card', 'refund', 'refund'],
  ['card', 'chargeback', 'chargeback'],
  ['crypto', 'refund', 'refund'],
  ['alipay', 'refund', 'chargeback'],
  ['wxpay', 'refund', 'chargeback'],
  ['telegram_stars', 'refund', 'chargeback'],
] as const)('%s: a %s is reported as %s (2.2, type)', async (method, as, type) => {
  const body = await lastEvent([
    { type: 'succeed', method },
    { type: 'reverse', as },
  ])
  expect(body).toMatchObject({ event: 'payment.refunded', status: 'refunded', type, amount: '25.00' })
})

test('a mixed checkout has settled_via, also in its refund (2.2)', async () => {
  const settledVia = { rail: 'PIX', amount: '135.20', currency: 'BRL' }
  const success: Action = { type: 'succeed', method: 'pix', settledVia }
  expect(await lastEvent([success])).toMatchObject({
    settled_via: settledVia,
    amount: '25.00',
    currency: 'USD',
  })
  expect(await lastEvent([success, { type: 'reverse', as: 'refund' }])).toMatchObject({
    settled_via: settledVia,
  })
})

test('a method switch creates an invisible child and keeps the root id (2.2 rule 1)', async () => {
  const on = shared()
  const id = await payment(on)
  on.act(id, { type: 'pay_part', method: 'crypto', amount: '1' })
  expect(() => on.act(id, { type: 'succeed', method: 'pix' })).toThrow(
    'the remaining amount must use the same method',
  )

  const other = await payment(on)
  const post = (body: object) => control(on, `/payments/${other}/actions`, body)
  for (const method of ['card', 'pix', 'sbp']) {
    expect((await post({ type: 'switch_method', method })).status).toBe(200)
  }
  expect((await post({ type: 'switch_method', method: 'sbp' })).status).toBe(400)
  const { event } = on.act(other, { type: 'fail', method: 'qris' })
  const body = JSON.parse(Buffer.from(event.body).toString())
  expect(body).toMatchObject({ id: other, payment_id: other, order_id: other, payment_method: 'qris' })
  const listed = await call(on, 'GET', '/payments')
  expect((listed.json['data'] as Body[]).map((found) => found['id'])).toEqual([other, id])
})

const PAID: Action = { type: 'succeed' }
const FAILED: Action = { type: 'fail' }
const REFUNDED: Action = { type: 'reverse', as: 'refund' }

test.each<[string, Action[], string]>([
  ['a failed payment cannot succeed', [FAILED, PAID], 'failed: it cannot be completed.'],
  ['a completed payment cannot fail', [PAID, FAILED], 'completed: it cannot be marked as failed.'],
  ['a completed payment cannot be completed again', [PAID, PAID], 'completed: it cannot be completed.'],
  ['a pending payment cannot be refunded', [REFUNDED], 'pending: it cannot be reversed.'],
  ['a refunded payment stays refunded', [PAID, REFUNDED, REFUNDED], 'refunded: it cannot be reversed.'],
  [
    'a partly paid payment cannot fail',
    [{ type: 'pay_part', method: 'crypto', amount: '1' }, FAILED],
    'partial: it cannot be marked as failed.',
  ],
])('%s', async (_, actions, problem) => {
  const message = await lastEvent(actions).then(
    () => undefined,
    (error: Error) => error.message,
  )
  expect(message?.replace(/^payment tx_\w+ is /, '')).toBe(problem)
})

test('each method switch abandons the previous child, and the last child shares the outcome (2.2 rule 1)', async () => {
  const { store, payments, organizationId } = await composed()
  const given = { organizationId, mode: 'test', amount: '5', currency: 'USD', method: 'card' } as const
  const { id } = payments.create(given)

  payments.switchMethod(id, 'pix')
  payments.switchMethod(id, 'sbp')
  const abandoned = { status: 'failed', failureCode: 'cancelled_by_customer' }
  expect(store.payments.children(id)).toMatchObject([
    { method: 'pix', ...abandoned },
    { method: 'sbp', status: 'pending', failureCode: null },
  ])

  const { payment } = payments.act(id, { type: 'succeed', method: 'qris' })
  expect(payment).toMatchObject({ id, parentId: null, method: 'qris', status: 'completed' })
  const children = store.payments.children(id)
  expect(children).toMatchObject([
    { method: 'pix', ...abandoned },
    { method: 'sbp', ...abandoned },
    { method: 'qris', status: 'completed', failureCode: null, amountReceived: '5' },
  ])
  payments.act(id, { type: 'reverse', as: 'refund' })
  expect(store.payments.children(id).map(({ status }) => status)).toEqual(['failed', 'failed', 'refunded'])

  // Lookups of payments never find a child.
  for (const child of children) {
    expect(store.payments.get(child.id)).toBeUndefined()
    expect(store.payments.own(organizationId, 'test', child.id)).toBeUndefined()
  }
})
