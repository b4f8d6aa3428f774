import { expect, test } from 'vitest'
import { METHODS } from '../../../fixtures/methods.ts'
import { readCheckoutAction } from '../../../sandbox/checkout/routes.ts'
import { offersOf } from '../../../sandbox/checkout/view.ts'
import { apply, switchMethod } from '../../../sandbox/domain/transitions.ts'
import type { Form } from '../../../sandbox/http/bodies.ts'
import { PAYMENT_STATUSES, type Payment } from '../../../sandbox/model.ts'
import { pendingPayment } from '../../../sandbox/service/payments.ts'
import type { PaymentMethod } from '../../../schemas/types.ts'

const NOW = Date.UTC(2026, 0, 1)

/** A valid form for each button. */
const FORMS: Readonly<Record<string, Form>> = {
  switch: { method: 'sbp' },
  succeed: {},
  fail: {},
  fail_with: { failure_code: 'card_declined' },
  pay_part: { amount: '5' },
  accept_short: { amount: '20' },
  settle: { rail: 'PIX', amount: '1', currency: 'BRL' },
  end_window: {},
  refund: {},
  chargeback: {},
}

const fresh = { organizationId: 'org_1', mode: 'test', amount: '25.00', currency: 'USD' } as const
const paymentOf = (status: Payment['status'], method: PaymentMethod): Payment => ({
  ...pendingPayment('tx_1', { ...fresh, method }, NOW),
  status,
  amountReceived: status === 'partial' ? '10.00' : null,
  windowEndsAt: status === 'partial' && method === 'gift_card' ? NOW : null,
})

function works(payment: Payment, action: string): boolean {
  try {
    const read = readCheckoutAction({ ...FORMS[action], action }, payment.mode)
    if (read.type === 'switch') switchMethod(payment, read.method, 'tx_2', NOW)
    else apply(payment, read.type === 'act' ? read.action : { type: 'end_window' }, NOW)
    return true
  } catch {
    return false
  }
}

/** Allowed, but not on the page: a partly paid payment is completed by the method it was started with. */
const OMITTED = new Set(['partial settle'])

/** Whether a refund results in a refund: methods that are always charged back have no Refund button. */
function isRefunded(payment: Payment): boolean {
  if (payment.status !== 'completed') return false
  return apply(payment, { type: 'reverse', as: 'refund' }, NOW).payment.refundType === 'refund'
}

const methods = (Object.keys(METHODS) as PaymentMethod[]).filter((method) => method !== 'sbp')
const combinations = PAYMENT_STATUSES.flatMap((status) =>
  methods
    .filter((method) => status !== 'partial' || method === 'crypto' || method === 'gift_card')
    .map((method) => [status, method] as const),
)

test.each(combinations)('a %s payment by %s has exactly the buttons that work', (status, method) => {
  const payment = paymentOf(status, method)
  const working = Object.keys(FORMS).filter((action) => works(payment, action))
  const expected = working
    .filter((action) => !OMITTED.has(`${status} ${action}`))
    .filter((action) => action !== 'refund' || isRefunded(payment))
  expect(offersOf(payment).toSorted()).toEqual(expected.toSorted())
})
