import type { PaymentMethod } from '../../schemas/types.ts'
import type { Payment } from '../model.ts'
import { BadAction, IllegalTransition } from './errors.ts'

/** A payment whose customer went over to another method, and the internal transaction that this made. */
export interface Switch {
  payment: Payment
  child: Payment
}

/**
 * The customer switches to another method during checkout. That makes a child transaction with an id of its own,
 * which nobody outside ever sees: every event keeps the root's id. Interface 2.2 rule 1.
 * @param childId an id that is free
 * @throws IllegalTransition unless the payment is pending; BadAction for the method it has already
 */
export function switchMethod(payment: Payment, method: PaymentMethod, childId: string, now: number): Switch {
  if (payment.status !== 'pending') throw new IllegalTransition(payment.id, payment.status, 'switch method')
  if (payment.method === method) throw new BadAction(`payment ${payment.id} is by ${method} already.`)
  const switched = { ...payment, method, updatedAt: now }
  return { payment: switched, child: { ...switched, id: childId, parentId: payment.id, createdAt: now } }
}

/** A child transaction after its root moved on: the last one shares the outcome, earlier ones were left. */
export function followRoot(child: Payment, root: Payment, isLast: boolean): Payment {
  const { id, parentId, createdAt, method } = child
  const left = { status: 'failed', failureCode: 'cancelled_by_customer', failureReason: null } as const
  return { ...root, ...(isLast ? {} : left), id, parentId, createdAt, method }
}
