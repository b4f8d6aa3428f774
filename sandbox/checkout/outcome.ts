import { subtractAmounts } from '../domain/amounts.ts'
import { creditedAmount } from '../domain/event-body.ts'
import type { Payment } from '../model.ts'

/** The heading of a finished payment, and what it means for the customer. */
export interface Outcome {
  readonly heading: string
  readonly text: string
}

/** The outcome of a payment; null while the customer can still pay. */
export function outcomeOf(payment: Payment): Outcome | null {
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
