import { describe, expect, it } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import type { Verdict } from '../../../conformance/contracts/webhook/model.ts'
import { causesFrom } from '../../../conformance/diagnosis/diagnose.ts'
import { caseOf, kitOf } from '../support.ts'

const CASES = [
  'effects/completed-is-fulfilled',
  'effects/every-method-is-fulfilled',
  'events/completed',
] as const

interface Payment {
  readonly order: string
  readonly isFulfilled: boolean
  readonly amount?: string
  readonly more?: Readonly<Record<string, string>>
}

/** The verdict of a case that sent one payment, which was acknowledged. */
function verdictOf(
  id: (typeof CASES)[number],
  { order, isFulfilled, amount = '9.00', more }: Payment,
): Verdict {
  const delivery = kitOf(id).delivery('completed', {
    id: `tx_${id}${order}${amount}`,
    amount,
    metadata: { order, ...more },
  })
  const answer = { status: 200, headers: [], body: Buffer.alloc(0), truncated: false, ms: 1 }
  const effect = {
    event: 'payment.completed',
    effect: 'fulfilled',
    amount,
    currency: delivery.currency ?? '',
  } as const
  return {
    case: caseOf(id),
    outcome: isFulfilled ? 'passed' : 'failed',
    problems: [],
    reason: undefined,
    exchanges: [{ delivery, answer, error: undefined }],
    effects: new Map([[delivery.key ?? '', isFulfilled ? [effect] : []]]),
    durationMs: 1,
  }
}
const namedIn = (...payments: Payment[]) =>
  causesFrom({
    service: paymentService,
    verdicts: payments.map((payment, n) => verdictOf(CASES[n % CASES.length] ?? CASES[0], payment)),
    isNarrowed: false,
  })
const causesOf = (...payments: Payment[]) => namedIn(...payments).map(({ code }) => code)

const lost = (order: string, amount: string): Payment => ({ order, amount, isFulfilled: false })
const fulfilled = (order: string, amount: string): Payment => ({ order, amount, isFulfilled: true })

describe('payments that are lost', () => {
  it('because another one has their order number', () => {
    const payments = [fulfilled('A', '1.00'), lost('A', '2.00'), fulfilled('B', '3.00'), lost('B', '4.00')]
    expect(causesOf(...payments, fulfilled('C', '5.00'))).toEqual(['deduplicated_by_order_number'])
  })

  it('names each field that explains it', () => {
    const payments = [fulfilled('A', '1.00'), lost('A', '2.00'), fulfilled('B', '3.00'), lost('B', '4.00')]
    const sharing = (name: string) =>
      payments.map((payment) => ({ ...payment, more: { [name]: name === 'same' ? payment.order : 'other' } }))
    expect(namedIn(...sharing('same'))).toMatchObject([{ data: { fields: ['order', 'same'] } }])
    expect(namedIn(...sharing('shop'), { ...fulfilled('C', '5.00'), more: { shop: 'other' } })).toMatchObject(
      [{ data: { fields: ['order'] } }],
    )
  })

  it.each<[string, Payment[]]>([
    ['if one of them has an order number of its own', [lost('C', '5.00')]],
    [
      'if two payments with one order number are both fulfilled',
      [fulfilled('C', '5.00'), fulfilled('C', '6.00')],
    ],
  ])('have no such cause %s', (_, more) => {
    const payments = [fulfilled('A', '1.00'), lost('A', '2.00'), fulfilled('B', '3.00'), lost('B', '4.00')]
    expect(causesOf(...payments, ...more)).not.toContain('deduplicated_by_order_number')
  })

  it('have no such cause if they are alike in everything', () => {
    const payments = [fulfilled('A', '1.00'), lost('A', '1.00'), fulfilled('B', '3.00'), lost('B', '3.00')]
    expect(causesOf(...payments)).not.toContain('deduplicated_by_order_number')
  })
})
