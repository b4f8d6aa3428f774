import type { Payment, PaymentStatus } from '../../model.ts'
import type { Mark } from './delivery-view.ts'

const TONES: Readonly<Record<PaymentStatus, Mark['tone']>> = {
  pending: 'wait',
  partial: 'odd',
  completed: 'good',
  failed: 'bad',
  expired: 'bad',
  refunded: 'dull',
}

/** How the state of a payment is marked. */
export const paymentMark = ({ status }: Pick<Payment, 'status'>): Mark => ({
  text: status,
  tone: TONES[status],
})
