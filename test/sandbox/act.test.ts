import { expect, test } from 'vitest'
import { payment, sharedSandbox } from './support.ts'

const shared = sharedSandbox()

/** Passes a value without type checks, like plain JavaScript. */
const untyped = (value: unknown) => value as never

test.each([
  [
    { type: 'nope' },
    /the action type must be one of succeed, fail, pay_part, accept_short, reverse, end_window/,
  ],
  [{ type: 'toString' }, /the action type must be one of/],
  [{ type: 'switch_method', method: 'pix' }, /To switch the method, set "method" on the next action/],
  [{}, /the action type must be one of/],
  [null, /the action must be an object/],
  ['succeed', /the action must be an object/],
  [{ type: 'reverse', refund_type: 'refund' }, /reverse has no field "refund_type". Its fields are as/],
  [{ type: 'reverse', refundType: 'refund' }, /reverse has no field "refundType". Its fields are as/],
  [{ type: 'reverse' }, /reverse requires "as": "refund" or "chargeback"/],
  [{ type: 'reverse', as: 'gift' }, /reverse, as: expected/],
  [{ type: 'fail', code: 'no_luck' }, /fail, code: expected/],
  [
    { type: 'fail', failure_code: 'card_declined' },
    /fail has no field "failure_code". Its fields are method, simulated, code/,
  ],
  [{ type: 'fail', reason: 5 }, /fail, reason: expected/],
  [{ type: 'succeed', method: 'cash' }, /succeed, method: expected/],
  [{ type: 'succeed', simulated: 'yes' }, /succeed, simulated: expected/],
  [{ type: 'succeed', settledVia: { rail: 'PIX' } }, /succeed, settledVia(\.amount)?: expected/],
  [
    { type: 'succeed', settledVia: { rail: 'PIX', amount: 5, currency: 'BRL' } },
    /settledVia\.amount: expected/,
  ],
  [{ type: 'pay_part', method: 'crypto' }, /pay_part requires "amount"/],
  [{ type: 'pay_part', method: 'crypto', amount: 5 }, /pay_part, amount: expected text/],
  [{ type: 'pay_part', amount: undefined }, /pay_part requires "amount"/],
  [{ type: 'accept_short', received: '-1' }, /accept_short, received: expected decimal text/],
  [
    { type: 'accept_short', received: '1'.repeat(65) },
    /received: expected decimal text .* at most 64 characters/,
  ],
  [{ type: 'end_window', method: 'pix' }, /end_window has no field "method". It has no fields besides type/],
])('rejects the action %j, and changes nothing', async (action, message) => {
  const on = shared()
  const id = await payment(on)
  const refusal = { code: 'bad_action', message: expect.stringMatching(message) }
  expect(() => on.act(id, untyped(action))).toThrow(expect.objectContaining(refusal))
  expect(on.act(id, { type: 'succeed' }).payment.status).toBe('completed')
})

test('treats an undefined field as absent', async () => {
  const on = shared()
  const { event } = on.act(
    await payment(on),
    untyped({ type: 'fail', code: undefined, simulated: undefined, reason: 'None of it.' }),
    untyped({ chaos: undefined }),
  )
  const body = JSON.parse(Buffer.from(event.body).toString())
  expect(body).toMatchObject({ failure_code: 'provider_error', failure_reason: 'None of it.' })
})

test('validates chaos, and rejects other options', async () => {
  const on = shared()
  const id = await payment(on)
  const act = (options: object) => () => on.act(id, { type: 'succeed' }, options)
  expect(act({ chaos: { duplicat: 1 } })).toThrow('duplicat is unknown')
  expect(act({ duplicate: 1 })).toThrow('"duplicate" is not an option of act()')
  expect(act({ chaos: { duplicate: 1 } })).not.toThrow()
})

test.each([
  [5, 'bad_action'],
  [undefined, 'bad_action'],
  [{ id: 'tx_nobody' }, 'bad_action'],
  ['tx_nobody', 'no_such_payment'],
])('rejects the payment id %j with %s', async (id, code) => {
  const on = shared()
  expect(() => on.act(untyped(id), { type: 'succeed' })).toThrow(expect.objectContaining({ code }))
})
