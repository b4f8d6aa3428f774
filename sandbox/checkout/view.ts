import type { FailureCode, PaymentMethod } from '../../schemas/types.ts'
import type { Context } from '../compose.ts'
import { eventViews } from '../dashboard/shared/views.ts'
import { subtractAmounts } from '../domain/amounts.ts'
import { creditedAmount, recipientsOf } from '../domain/events.ts'
import { ALWAYS_CHARGEBACK, outcomeOfWindow } from '../domain/transitions.ts'
import type { Form } from '../http/bodies.ts'
import type { Payment } from '../model.ts'
import { addressNames, dashboardPath } from '../pages/addresses.ts'
import { relativeTimes } from '../pages/render.ts'

/** A rejected form, whose error is shown next to its button. */
interface Rejection {
  text: string
  /** The submitted fields; `action` identifies the form. */
  form: Form
  /** The invalid field, if it is a single one. */
  field?: string | undefined
}

export const checkoutPath = ({ id, mode }: Pick<Payment, 'id' | 'mode'>): string =>
  `${mode === 'test' ? '/test' : ''}/checkout/${id}`

/** Loads everything that the checkout of a payment shows: the variables of its templates. */
export function viewOf(context: Context, payment: Payment, rejection?: Rejection) {
  const { store } = context
  const now = context.clock.now()
  const { id, organizationId, status, amountReceived, windowEndsAt, returnUrl } = payment
  const method = payment.method ?? 'card'
  const isPaid = status === 'completed' || status === 'refunded'
  const remaining =
    status === 'partial' && amountReceived !== null ? subtractAmounts(payment.amount, amountReceived) : null
  const amount = isPaid ? creditedAmount(payment) : (remaining ?? payment.amount)
  const offers = offersOf({ ...payment, method })
  const rejected = offers.find((action) => action === rejection?.form['action'])
  const endpoints = store.endpoints.ofOrganization(organizationId)
  const merchant = store.organizations.get(organizationId)?.name ?? 'the merchant'
  const nameOf = addressNames(context)
  return {
    payment,
    rejection,
    now,
    time: relativeTimes(now),
    outcome: outcomeOf(payment),
    // The one that applies if the customer does not choose another.
    method,
    offers,
    // To show an error in it.
    isDrawerOpen: DRAWER.some((name) => name === rejected),
    merchant,
    dashboard: dashboardPath({ name: merchant }),
    live: payment.mode === 'live',
    path: checkoutPath(payment),
    // What the merchant gets; while the payment is open, what is left to pay.
    amount,
    // Interface 2.2, amount_requested.
    isShort: isPaid && amount !== payment.amount,
    remaining,
    methodName: METHOD_NAMES[method],
    methods: entries(METHOD_NAMES).map(([code, name]) => ({ code, name, chosen: code === method })),
    failureCodes: entries(FAILURE_MEANINGS).map(([code, meaning]) => ({ code, meaning })),
    // Interface 2.2 rule 1.
    children: store.payments.children(id).map((child) => ({
      id: child.id,
      status: child.status,
      name: child.method === null ? '' : METHOD_NAMES[child.method],
    })),
    events: store.events.ofPayment(id).map(eventViews(context)),
    recipients: recipientsOf(payment, 'payment.completed', endpoints).map(nameOf),
    returnUrl: returnUrl !== null && isWebLink(returnUrl) ? returnUrl : null,
    windowEnds: windowEndsAt === null ? null : minuteOf(windowEndsAt),
    windowOutcome: outcomeOfWindow(payment.amount),
  }
}

/** The API accepts only such URLs, but the sandbox file may be older than that rule. */
const isWebLink = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const minuteOf = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const entries = <Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][]

const DRAWER = ['fail_with', 'pay_part', 'accept_short', 'settle', 'refund', 'chargeback'] as const

/** An action of the checkout: the value of the submit button. */
type ActionName = 'switch' | 'end_window' | 'succeed' | 'fail' | (typeof DRAWER)[number]

/**
 * The actions that a payment allows; the page shows no button that could only be rejected. Interface 3, with the states
 * of domain/transitions.ts: a finished payment can only be reversed.
 */
export function offersOf({ status, method }: Pick<Payment, 'status' | 'method'>): readonly ActionName[] {
  const isCrypto = method === 'crypto'
  const partial: ActionName[] = isCrypto || method === 'gift_card' ? ['pay_part'] : []
  const short: ActionName[] = isCrypto ? ['accept_short'] : []
  switch (status) {
    case 'pending':
      return ['switch', 'succeed', 'fail', 'fail_with', ...partial, ...short, 'settle']
    case 'partial':
      return ['succeed', ...partial, ...short, ...(method === 'gift_card' ? ['end_window' as const] : [])]
    case 'completed':
      return method !== null && ALWAYS_CHARGEBACK.includes(method) ? ['chargeback'] : ['refund', 'chargeback']
    case 'failed':
    case 'expired':
    case 'refunded':
      return []
  }
}

/** The heading of a finished payment, and what it means for the customer; null while the customer can still pay. */
function outcomeOf(payment: Payment): { heading: string; text: string } | null {
  switch (payment.status) {
    case 'pending':
    case 'partial':
      return null
    case 'completed':
      return { heading: 'Payment completed', text: completed(payment) }
    case 'failed':
      return { heading: 'Payment failed', text: `${failed(payment)} The shop can create a new payment.` }
    case 'expired':
      return { heading: 'Payment expired', text: expired(payment) }
    case 'refunded':
      return payment.refundType === 'chargeback'
        ? { heading: 'Payment charged back', text: `${credited(payment)} was paid, then charged back.` }
        : { heading: 'Payment refunded', text: `${credited(payment)} was paid, then refunded by the shop.` }
  }
}

const credited = (payment: Payment): string => `${creditedAmount(payment)} ${payment.currency}`

function completed(payment: Payment): string {
  const { amount, currency, method } = payment
  const received = creditedAmount(payment)
  if (received === amount) return 'The order is paid.'
  const short = `${received} of ${amount} ${currency}`
  return method === 'gift_card'
    ? `The 24-hour window ended: the order was completed with ${short}.`
    : `The shop accepted ${short}.`
}

function failed({ failureCode }: Payment): string {
  if (failureCode === 'underpayment') return 'Less than the amount of the order was paid, or nothing.'
  if (failureCode === 'cancelled_by_customer') return 'The customer canceled; nothing was paid.'
  return 'Nothing was paid.'
}

function expired({ amount, amountReceived, currency }: Payment): string {
  if (amountReceived === null) return 'The order was not paid within 24 hours.'
  const missing = subtractAmounts(amount, amountReceived)
  return `The remaining ${missing} ${currency} was not paid within 24 hours. The ${amountReceived} ${currency} received is not credited.`
}

/** Display names of the payment methods, in the order of the method switcher. Interface 1. */
export const METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  card: 'Card',
  pix: 'Pix',
  c2c: 'Card to card',
  sbp: 'SBP',
  qris: 'QRIS',
  gcash: 'GCash',
  maya: 'Maya',
  telegram_stars: 'Telegram Stars',
  crypto: 'Crypto',
  alipay: 'Alipay',
  wxpay: 'WeChat Pay',
  gift_card: 'Gift card',
  cashapp: 'Cash App',
}

/** When the service sends each failure code. Interface 7.4. */
const FAILURE_MEANINGS: Readonly<Record<FailureCode, string>> = {
  card_declined: 'the bank declined the card',
  insufficient_funds: 'not enough money in the account',
  card_unsupported: 'card type or country is not supported',
  authentication_failed: '3D Secure failed or was abandoned',
  invoice_expired: 'not paid in time',
  underpayment: 'less was paid than expected',
  currency_unsupported: 'the method does not support the currency',
  cancelled_by_customer: 'the customer canceled',
  provider_unavailable: 'the provider is temporarily unavailable',
  provider_error: 'any other error',
}
