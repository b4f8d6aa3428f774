import type { FailureCode, PaymentMethod, RefundType, SettledVia } from '../../schemas/types.ts'
import type { Amount } from './amounts.ts'

/**
 * Everything that can happen to a payment. A `method` is the one the customer ends up with; without it the one chosen
 * before counts, or else card.
 */
export type Action =
  /** Paid in full. `simulated`: by the button Simulate Success. `settledVia`: a mixed checkout. */
  | { type: 'succeed'; method?: PaymentMethod; simulated?: boolean; settledVia?: SettledVia }
  /** `simulated`: by the button Simulate Failure. Without a code: provider_error. */
  | { type: 'fail'; method?: PaymentMethod; simulated?: boolean; code?: FailureCode; reason?: string }
  /** Part of it comes in, by crypto or gift card; the part that makes it whole completes the payment. */
  | { type: 'pay_part'; method?: PaymentMethod; amount: Amount }
  /** The merchant is content with less: with `received`, or with what has come in. Crypto only. */
  | { type: 'accept_short'; received?: Amount }
  /** A completed payment is taken or given back. */
  | { type: 'reverse'; as: RefundType }
  /** The 24 hours of a part-paid gift-card order are over. */
  | { type: 'end_window' }
