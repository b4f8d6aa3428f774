import type { Payment, PaymentStatus } from '../../model.ts'

/** A short label and the tone that colors it; each tone is a CSS class. */
export interface Badge {
  readonly text: string
  readonly tone: 'success' | 'error' | 'pending' | 'warning' | 'neutral'
}

const PAYMENT_TONES: Readonly<Record<PaymentStatus, Badge['tone']>> = {
  pending: 'pending',
  partial: 'warning',
  completed: 'success',
  failed: 'error',
  expired: 'error',
  refunded: 'neutral',
}

/** The badge of a payment's status. */
export const paymentBadge = ({ status }: Pick<Payment, 'status'>): Badge => ({
  text: status,
  tone: PAYMENT_TONES[status],
})
