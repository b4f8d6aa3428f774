import type { FailureCode, PaymentMethod } from '../../schemas/types.ts'
import type { PaymentStatus } from '../model.ts'

/** What customers call each method, in the order of the switcher. Interface 1. */
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

/** When each failure code is sent. Interface 7.4. */
export const FAILURE_MEANINGS: Readonly<Record<FailureCode, string>> = {
  card_declined: 'the bank refused the card',
  insufficient_funds: 'not enough money in the account',
  card_unsupported: 'a kind or country of card that is not taken',
  authentication_failed: '3D Secure failed or was left',
  invoice_expired: 'nobody paid in time',
  underpayment: 'less was paid than expected',
  currency_unsupported: 'the method does not take the currency',
  cancelled_by_customer: 'the customer turned back',
  provider_unavailable: 'the provider is down for the moment',
  provider_error: 'anything else',
}

/** How a payment ended that the customer can do nothing more about. */
type Finished = Exclude<PaymentStatus, 'pending' | 'partial'>

/** The headline of a finished payment, and what it means for the customer. */
export const OUTCOMES: Readonly<Record<Finished, { heading: string; text: string }>> = {
  completed: { heading: 'Payment completed', text: 'The order is paid.' },
  failed: { heading: 'Payment failed', text: 'Nothing was paid. The shop can make a new payment.' },
  expired: {
    heading: 'Payment expired',
    text: 'The rest did not come in time. The part that came is not credited.',
  },
  refunded: { heading: 'Payment refunded', text: 'The order was paid, and the money went back.' },
}
