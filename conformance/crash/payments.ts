import type { Delivery } from '../contracts/payment-service/delivery.ts'
import { type Kit, paymentOf } from '../contracts/payment-service/kit.ts'
import type { Sent } from './send.ts'

/** A payment of a round, with everything that was sent about it. */
export interface Payment {
  readonly id: string
  readonly completed: Delivery
  /** The refund that follows, if the payment has one. */
  readonly refund: Delivery | undefined
  /** Whether the completion is sent twice. */
  readonly isRepeated: boolean
  /** In the order in which they were sent; more are added while the round runs. */
  readonly sent: Sent[]
}

const REFUNDED = 0.25
const REPEATED = 0.3

/** Makes a payment; one in four is refunded, and three in ten are delivered twice. */
export function makePayment(kit: Kit, random: () => number): Payment {
  const completed = kit.delivery('completed')
  const refund = random() < REFUNDED ? kit.delivery('refund', paymentOf(completed)) : undefined
  return { id: completed.paymentId ?? '', completed, refund, isRepeated: random() < REPEATED, sent: [] }
}

/** The deliveries of a payment, in the order in which they are sent. */
export function deliveriesOf({ completed, refund, isRepeated }: Payment): Delivery[] {
  return [completed, ...(isRepeated ? [completed] : []), ...(refund === undefined ? [] : [refund])]
}

/** Whether a delivery of this event was answered with 200; the first such answer. */
export function acknowledgmentOf({ sent }: Payment, event: string): Sent | undefined {
  return sent.find(({ delivery, status }) => delivery.event === event && status === 200)
}

/** Whether a delivery of this event was sent at all, so that the receiver may have stored it. */
export function wasSent({ sent }: Payment, event: string): boolean {
  return sent.some(({ delivery }) => delivery.event === event)
}

export const COMPLETED = 'payment.completed'
export const REFUND = 'payment.refunded'
