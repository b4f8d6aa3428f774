import { expect, test } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import { createKit, paymentOf } from '../../../conformance/contracts/payment-service/kit.ts'
import { deliveriesOf, judgePayment, makePayment, type Payment } from '../../../conformance/crash/payments.ts'
import type { Effect } from '../../../schemas/types.ts'

const kit = createKit('crash', { secret: 'whsec_of_the_test', seed: 's', mode: 'test', now: () => 1 })

type Answers = { readonly completed: (number | undefined)[]; readonly refund?: (number | undefined)[] }

function paymentWith({ completed: statuses, refund: ofRefund = [] }: Answers): Payment {
  const completed = kit.delivery('completed')
  const refund = ofRefund.length > 0 ? kit.delivery('refund', paymentOf(completed)) : undefined
  const sent = (delivery: typeof completed) => (status: number | undefined) => ({
    delivery,
    sentAt: 0,
    answeredAt: status === undefined ? undefined : 1,
    status,
    error: status === undefined ? ({ code: 'reset' } as const) : undefined,
  })
  return {
    id: 'tx_1',
    completed,
    refund,
    isRepeated: false,
    sent: [...statuses.map(sent(completed)), ...ofRefund.map(sent(refund ?? completed))],
  }
}

const effects = (...names: Effect['effect'][]): Effect[] =>
  names.map((effect) => ({ event: 'payment.completed', effect, amount: '1.00', currency: 'USD' }))

const lost = expect.objectContaining({ kind: 'missing' }) as unknown
const doubled = expect.objectContaining({ kind: 'doubled' }) as unknown

test.each<[string, Answers, Effect[], unknown]>([
  ['acknowledged and kept', { completed: [200] }, effects('fulfilled'), undefined],
  ['acknowledged and lost', { completed: [200] }, [], lost],
  ['not acknowledged and not kept', { completed: [undefined] }, [], undefined],
  ['not acknowledged and kept', { completed: [undefined] }, effects('fulfilled'), undefined],
  ['not acknowledged and doubled', { completed: [undefined] }, effects('fulfilled', 'fulfilled'), doubled],
  ['acknowledged at the second attempt', { completed: [503, 200] }, [], lost],
  [
    'refund acknowledged and kept',
    { completed: [200], refund: [200] },
    effects('fulfilled', 'reversed'),
    undefined,
  ],
  ['refund acknowledged and lost', { completed: [200], refund: [200] }, effects('fulfilled'), lost],
  [
    'refund sent, but not acknowledged',
    { completed: [200], refund: [undefined] },
    effects('fulfilled'),
    undefined,
  ],
  ['refund processed before its completion', { completed: [200], refund: [200] }, [], undefined],
  [
    'refund doubled',
    { completed: [200], refund: [200] },
    effects('fulfilled', 'reversed', 'reversed'),
    doubled,
  ],
])('judges a payment: %s', (_, answers, shown, expected) => {
  expect(judgePayment(paymentWith(answers), shown)).toEqual(expected)
})

test('the second payment of a round has the largest body that every receiver accepts', () => {
  const payment = makePayment(kit, paymentService, () => 0, 1)
  expect(payment.completed.body).toHaveLength(64 * 1024)
  expect(payment.completed.key).toBe(payment.id)
  expect(payment.refund?.key).toBe(payment.id)
})

test('the completion of the first payment of a round is not sent before the crash, but its refund is', () => {
  const payment = makePayment(kit, paymentService, () => 1, 0)
  expect(deliveriesOf(payment)).toEqual([payment.refund])
  expect(deliveriesOf(makePayment(kit, paymentService, () => 1, 2))).toHaveLength(1)
})

test('a refund that was acknowledged before its completion and forgotten is lost', () => {
  const early = { ...paymentWith({ completed: [200], refund: [200] }), isRefundedEarly: true } as const
  expect(judgePayment(early, effects('fulfilled'))).toMatchObject({ event: 'payment.refunded' })
  expect(judgePayment(early, [])).toBeUndefined()
  expect(judgePayment(early, effects('fulfilled', 'reversed'))).toBeUndefined()
})
