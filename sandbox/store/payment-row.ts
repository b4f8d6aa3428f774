import type { FailureCode, PaymentMethod, RefundType } from '../../schemas/types.ts'
import type { Mode, Payment, PaymentStatus } from '../model.ts'
import type { Value } from './rows.ts'

/** A row of the table `payments`. */
export interface PaymentRow {
  id: string
  parent_id: string | null
  organisation_id: string
  mode: Mode
  status: PaymentStatus
  amount: string
  amount_received: string | null
  currency: string
  method: PaymentMethod | null
  return_url: string | null
  webhook_url: string | null
  metadata: string
  settled_via: string | null
  failure_code: FailureCode | null
  failure_reason: string | null
  refund_type: RefundType | null
  created_at: number
  updated_at: number
  window_ends_at: number | null
}

/** Converts a row of the table `payments`. */
export function paymentOf(row: PaymentRow): Payment {
  return {
    id: row.id,
    parentId: row.parent_id,
    organisationId: row.organisation_id,
    mode: row.mode,
    status: row.status,
    amount: row.amount,
    amountReceived: row.amount_received,
    currency: row.currency,
    method: row.method,
    returnUrl: row.return_url,
    webhookUrl: row.webhook_url,
    metadata: JSON.parse(row.metadata),
    settledVia: row.settled_via === null ? null : JSON.parse(row.settled_via),
    failureCode: row.failure_code,
    failureReason: row.failure_reason,
    refundType: row.refund_type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    windowEndsAt: row.window_ends_at,
  }
}

/** The values of a row except its id: those that are fixed, and those that a transition changes. */
export function valuesOf(payment: Payment): { fixed: Value[]; changing: Value[] } {
  return {
    fixed: [
      payment.parentId,
      payment.organisationId,
      payment.mode,
      payment.amount,
      payment.currency,
      payment.returnUrl,
      payment.webhookUrl,
      // JSON escapes what a text column cannot store: NUL, and half of a surrogate pair.
      JSON.stringify(payment.metadata),
      payment.createdAt,
    ],
    changing: [
      payment.status,
      payment.amountReceived,
      payment.method,
      payment.settledVia && JSON.stringify(payment.settledVia),
      payment.failureCode,
      payment.failureReason,
      payment.refundType,
      payment.updatedAt,
      payment.windowEndsAt,
    ],
  }
}
