import type { FailureCode, PaymentMethod } from '../../schemas/types.ts'

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
export const FAILURE_MEANINGS: Readonly<Record<FailureCode, string>> = {
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
