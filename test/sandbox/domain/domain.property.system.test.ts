import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { serialize } from '../../../fixtures/index.ts'
import { METHODS } from '../../../fixtures/methods.ts'
import type { Action } from '../../../sandbox/domain/actions.ts'
import { addAmounts, compareAmounts } from '../../../sandbox/domain/amounts.ts'
import { creditedAmount, eventBody } from '../../../sandbox/domain/events.ts'
import { apply } from '../../../sandbox/domain/transitions.ts'
import { BadAction, IllegalTransition } from '../../../sandbox/errors.ts'
import type { Payment, PaymentStatus } from '../../../sandbox/model.ts'
import { pendingPayment } from '../../../sandbox/service/payments.ts'
import type { FailureCode, PaymentMethod } from '../../../schemas/types.ts'
import { explain, validate } from '../../../schemas/validate.ts'

const NOW = Date.UTC(2026, 2, 14)
const HOUR = 60 * 60 * 1000

const ORDER = { organizationId: 'org_1', mode: 'test', amount: '25.00', currency: 'USD' } as const
const fresh: Payment = pendingPayment('tx_root', { ...ORDER, metadata: { order: 'SO-1' } }, NOW)

const cents = fc.integer({ min: 1, max: 500 }).map((n) => (n / 100).toFixed(2))
const method = fc.constantFrom(...(Object.keys(METHODS) as PaymentMethod[]))
const code = fc.constantFrom<FailureCode>('card_declined', 'underpayment', 'provider_error')
const settledVia = fc.record({ rail: fc.constant('PIX'), amount: cents, currency: fc.constant('BRL') })

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record(
    { type: fc.constant('succeed' as const), method, simulated: fc.boolean(), settledVia },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    { type: fc.constant('fail' as const), method, simulated: fc.boolean(), code },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    { type: fc.constant('pay_part' as const), method: fc.constantFrom('crypto', 'gift_card'), amount: cents },
    { requiredKeys: ['type', 'amount'] },
  ) as fc.Arbitrary<Action>,
  fc.record({ type: fc.constant('accept_short' as const), received: cents }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('reverse' as const), as: fc.constantFrom('refund', 'chargeback') }),
  fc.constant<Action>({ type: 'end_window' }),
)

/** Interface 3, as the issue lays it down; the one move to itself is another part of a part payment. */
const MOVES: Record<PaymentStatus, PaymentStatus[]> = {
  pending: ['completed', 'failed', 'partial'],
  partial: ['partial', 'completed', 'expired'],
  completed: ['refunded'],
  failed: [],
  expired: [],
  refunded: [],
}

test('any sequence of actions makes only legal transitions, and every body is valid', () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(
      fc.record({
        amount: cents,
        mode: fc.constantFrom('test' as const, 'live' as const),
        currency: fc.constantFrom('USD', 'BRL', 'usdt'),
        metadata: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
      }),
      fc.array(fc.tuple(action, fc.integer({ min: 0, max: 30 * HOUR })), { maxLength: 12 }),
      (given, steps) => {
        let payment: Payment = { ...fresh, ...given }
        let now = NOW
        for (const [what, wait] of steps) {
          now += wait
          const before = payment
          try {
            const after = apply(payment, what, now)
            payment = after.payment
            expect(MOVES[before.status]).toContain(payment.status)
            reached.add(`${before.status} ${after.event}${after.simulated ? ' simulated' : ''}`)
            const body: unknown = JSON.parse(
              serialize(
                eventBody(payment, { name: after.event, simulated: after.simulated, at: now }),
              ).toString(),
            )
            expect(explain(validate('event.strict', body))).toBe('')
            expect(body).toMatchObject({ id: 'tx_root', payment_id: 'tx_root', order_id: 'tx_root' })
            expect(body).toMatchObject({ metadata: given.metadata, livemode: given.mode === 'live' })
          } catch (error) {
            if (!(error instanceof IllegalTransition || error instanceof BadAction)) throw error
            expect(payment).toBe(before)
          }
        }
      },
    ),
    { numRuns: 2_000, seed: 5 },
  )
  // Otherwise it would prove nothing.
  expect([...reached].toSorted()).toEqual([
    'completed payment.refunded',
    'partial payment.completed',
    'partial payment.completed simulated',
    'partial payment.expired',
    'partial payment.partial',
    'pending payment.completed',
    'pending payment.completed simulated',
    'pending payment.failed',
    'pending payment.failed simulated',
    'pending payment.partial',
  ])
})

describe('amounts', () => {
  const decimal = fc
    .tuple(fc.nat(), fc.nat({ max: 999 }), fc.integer({ min: 0, max: 3 }))
    .map(([whole, part, digits]) =>
      digits === 0 ? String(whole) : `${whole}.${String(part).padStart(3, '0').slice(0, digits)}`,
    )
  test('add and compare like numbers', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const thousandths = (text: string) => Math.round(Number(text) * 1000)
        expect(thousandths(addAmounts(a, b))).toBe(thousandths(a) + thousandths(b))
        expect(Math.sign(compareAmounts(a, b))).toBe(Math.sign(thousandths(a) - thousandths(b)))
        expect(validate('api/payment', { id: 'tx_1', amount: addAmounts(a, b) })).toEqual([])
      }),
    )
  })
})

test('a refund has the credited amount', () => {
  const short = apply(fresh, { type: 'accept_short', received: '20.00' }, NOW).payment
  expect(creditedAmount(short)).toBe('20.00')
  const refunded = apply(short, { type: 'reverse', as: 'refund' }, NOW)
  const body = eventBody(refunded.payment, { name: refunded.event, simulated: false, at: NOW })
  expect(body).toMatchObject({ type: 'refund', amount: '20.00', status: 'refunded' })
})
