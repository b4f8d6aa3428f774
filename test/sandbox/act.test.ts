import { expect, test } from 'vitest'
import { payment, sandbox } from './support.ts'

/** As plain JavaScript does: nothing was checked before. */
const untyped = (value: unknown) => value as never

test.each([
  [
    { type: 'nope' },
    /no such action: the type is succeed, fail, pay_part, accept_short, reverse, end_window/,
  ],
  [{ type: 'toString' }, /no such action/],
  [{ type: 'switch_method', method: 'pix' }, /give the new method to the action that pays/],
  [{}, /no such action/],
  [null, /an action is an object/],
  ['succeed', /an action is an object/],
  [{ type: 'reverse', refund_type: 'refund' }, /reverse takes no refund_type, but as/],
  [{ type: 'reverse', refundType: 'refund' }, /reverse takes no refundType, but as/],
  [{ type: 'reverse' }, /reverse needs as: refund or chargeback/],
  [{ type: 'reverse', as: 'gift' }, /reverse, as: expected/],
  [{ type: 'fail', code: 'no_luck' }, /fail, code: expected/],
  [
    { type: 'fail', failure_code: 'card_declined' },
    /fail takes no failure_code, but method, simulated, code/,
  ],
  [{ type: 'fail', reason: 5 }, /fail, reason: expected/],
  [{ type: 'succeed', method: 'cash' }, /succeed, method: expected/],
  [{ type: 'succeed', simulated: 'yes' }, /succeed, simulated: expected/],
  [{ type: 'succeed', settledVia: { rail: 'PIX' } }, /succeed, settledVia(\.amount)?: expected/],
  [
    { type: 'succeed', settledVia: { rail: 'PIX', amount: 5, currency: 'BRL' } },
    /settledVia\.amount: expected/,
  ],
  [{ type: 'pay_part', method: 'crypto' }, /pay_part needs an amount/],
  [{ type: 'pay_part', method: 'crypto', amount: 5 }, /pay_part, amount: expected text/],
  [{ type: 'pay_part', amount: undefined }, /pay_part needs an amount/],
  [{ type: 'accept_short', received: '-1' }, /accept_short, received: expected decimal text/],
  [{ type: 'end_window', method: 'pix' }, /end_window takes no method, but its type alone/],
])('the action %j is refused, and nothing happens', async (action, message) => {
  const on = await sandbox()
  const id = await payment(on)
  const refusal = { code: 'bad_action', message: expect.stringMatching(message) }
  expect(() => on.act(id, untyped(action))).toThrow(expect.objectContaining(refusal))
  expect(on.act(id, { type: 'succeed' }).payment.status).toBe('completed')
})

test('a field that is undefined counts as left out', async () => {
  const on = await sandbox()
  const { event } = on.act(
    await payment(on),
    untyped({ type: 'fail', code: undefined, simulated: undefined, reason: 'None of it.' }),
    untyped({ chaos: undefined }),
  )
  const body = JSON.parse(Buffer.from(event.body).toString())
  expect(body).toMatchObject({ failure_code: 'provider_error', failure_reason: 'None of it.' })
})

test('chaos is looked at too, and no other option is there', async () => {
  const on = await sandbox()
  const id = await payment(on)
  const act = (options: object) => () => on.act(id, { type: 'succeed' }, options)
  expect(act({ chaos: { duplicat: 1 } })).toThrow('duplicat is unknown')
  expect(act({ duplicate: 1 })).toThrow('there is no option duplicate')
  expect(act({ chaos: { duplicate: 1 } })).not.toThrow()
})

test.each([
  [5, 'bad_action'],
  [undefined, 'bad_action'],
  [{ id: 'tx_nobody' }, 'bad_action'],
  ['tx_nobody', 'no_such_payment'],
])('there is no payment %j', async (id, code) => {
  const on = await sandbox()
  expect(() => on.act(untyped(id), { type: 'succeed' })).toThrow(expect.objectContaining({ code }))
})
