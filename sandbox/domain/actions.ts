import type { FailureCode, PaymentMethod, RefundType, SettledVia } from '../../schemas/types.ts'
import type { Amount } from './amounts.ts'

/**
 * Everything that can happen to a payment. `method` is the customer's final payment method; by default the one chosen
 * earlier, or card.
 */
export type Action =
  /** Paid in full. `simulated`: with the button Simulate Success. `settledVia`: a mixed checkout. */
  | { type: 'succeed'; method?: PaymentMethod; simulated?: boolean; settledVia?: SettledVia }
  /** Failed. `simulated`: with the button Simulate Failure. `code` defaults to provider_error. */
  | { type: 'fail'; method?: PaymentMethod; simulated?: boolean; code?: FailureCode; reason?: string }
  /** A partial amount arrives, by crypto or gift card. The part that reaches the full amount completes the payment. */
  | { type: 'pay_part'; method?: PaymentMethod; amount: Amount }
  /** The merchant accepts an underpayment: `received`, or the amount received so far. Crypto only. */
  | { type: 'accept_short'; received?: Amount }
  /** A completed payment is refunded or charged back. */
  | { type: 'reverse'; as: RefundType }
  /** The 24-hour window of a partly paid gift-card order ends. */
  | { type: 'end_window' }
