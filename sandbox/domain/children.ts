import type { PaymentMethod } from '../../schemas/types.ts'
import type { Payment } from '../model.ts'
import { BadAction, IllegalTransition } from './errors.ts'

/** A payment whose customer switched to another method, and the internal transaction created for it. */
export interface Switch {
  payment: Payment
  child: Payment
}

/**
 * The customer switches to another method during checkout. This creates a child transaction with its own id, which is
 * never visible outside: every event keeps the root payment's id. Interface 2.2 rule 1.
 * @param childId an unused id
 * @throws IllegalTransition unless the payment is pending; BadAction if it already uses this method
 */
export function switchMethod(payment: Payment, method: PaymentMethod, childId: string, now: number): Switch {
  if (payment.status !== 'pending')
    throw new IllegalTransition(payment.id, payment.status, 'its method cannot be switched')
  if (payment.method === method) throw new BadAction(`payment ${payment.id} already uses ${method}.`)
  const switched = { ...payment, method, updatedAt: now }
  return { payment: switched, child: { ...switched, id: childId, parentId: payment.id, createdAt: now } }
}

/** Updates a child transaction after its root changed: the last child shares the outcome, earlier ones were abandoned. */
export function followRoot(child: Payment, root: Payment, isLast: boolean): Payment {
  const { id, parentId, createdAt, method } = child
  const abandoned = { status: 'failed', failureCode: 'cancelled_by_customer', failureReason: null } as const
  return { ...root, ...(isLast ? {} : abandoned), id, parentId, createdAt, method }
}
