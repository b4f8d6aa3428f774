import { FAILURES } from '../../fixtures/methods.ts'
import type { PaymentMethod, RefundType } from '../../schemas/types.ts'
import { BadAction, IllegalTransition } from '../errors.ts'
import type { EventName, Payment, PaymentStatus } from '../model.ts'
import type { Action } from './actions.ts'
import { type Amount, addAmounts, compareAmounts, inDecimalsOf } from './amounts.ts'

/** A payment after an action, and the event that reports it. */
export interface Transition {
  payment: Payment
  event: EventName
  /** Whether the event has `test: true`. Interface 6 rule 2. */
  simulated: boolean
}

const DEFAULT_METHOD: PaymentMethod = 'card'

/** The statuses in which each action is allowed, the entire state machine, and what an error says of the others. Interface 3 leaves it open. */
const RULES: Readonly<Record<Action['type'], { from: readonly PaymentStatus[]; problem: string }>> = {
  succeed: { from: ['pending', 'partial'], problem: 'it cannot be completed' },
  fail: { from: ['pending'], problem: 'it cannot be marked as failed' },
  pay_part: { from: ['pending', 'partial'], problem: 'it cannot be paid in part' },
  accept_short: { from: ['pending', 'partial'], problem: 'an underpayment cannot be accepted' },
  reverse: { from: ['completed'], problem: 'it cannot be reversed' },
  end_window: { from: ['partial'], problem: 'its 24-hour window cannot be ended' },
}

/**
 * Applies an action to a payment. A pure function: it stores and sends nothing. Interface 3 and 6.
 * @param now milliseconds since 1970
 * @throws IllegalTransition if the payment's status does not allow the action; BadAction if the action is invalid for it
 */
export function apply(payment: Payment, action: Action, now: number): Transition {
  const { from, problem } = RULES[action.type]
  if (!from.includes(payment.status)) throw new IllegalTransition(payment.id, payment.status, problem)
  if ('simulated' in action && action.simulated && payment.mode === 'live') {
    throw new BadAction(`payment ${payment.id} is live: only test payments can be simulated.`)
  }
  const changed = { ...payment, updatedAt: now }
  switch (action.type) {
    case 'succeed':
      return succeed(methodOf(changed, action.method), action)
    case 'fail':
      return fail(methodOf(changed, action.method), action)
    case 'pay_part':
      return payPart(methodOf(changed, action.method), action.amount, now)
    case 'accept_short':
      return acceptShort(methodOf(changed, undefined, 'crypto'), action.received)
    case 'reverse':
      return reverse(changed, action.as)
    case 'end_window':
      return endWindow(changed, now)
  }
}

function succeed(
  payment: Payment,
  { simulated = false, settledVia }: Action & { type: 'succeed' },
): Transition {
  if (simulated && settledVia !== undefined) {
    throw new BadAction('a simulated success cannot have settled_via. Remove one of the two.')
  }
  return completed({ ...payment, settledVia: settledVia ?? null }, payment.amount, simulated)
}

function fail(payment: Payment, action: Action & { type: 'fail' }): Transition {
  const { simulated = false, code = 'provider_error' } = action
  const reason = simulated ? 'Simulated failure' : (action.reason ?? FAILURES[code].reason)
  const failed = { ...payment, status: 'failed' as const, failureCode: code, failureReason: reason }
  return { payment: failed, event: 'payment.failed', simulated }
}

function payPart(payment: Payment, part: Amount, now: number): Transition {
  if (payment.method !== 'crypto' && payment.method !== 'gift_card') {
    throw new BadAction(
      `partial payments are only possible by crypto and gift card, not by ${payment.method}.`,
    )
  }
  if (compareAmounts(part, '0') <= 0) throw new BadAction('the partial amount must be greater than 0.')
  const received = inDecimalsOf(payment.amount, addAmounts(payment.amountReceived ?? '0', part))
  if (compareAmounts(received, payment.amount) >= 0) return completed(payment, received, false)
  // The window starts with the first part; later parts do not extend it.
  const windowEndsAt =
    payment.method === 'gift_card' ? (payment.windowEndsAt ?? now + GIFT_CARD_WINDOW_MS) : null
  const partial = { ...payment, status: 'partial' as const, amountReceived: received, windowEndsAt }
  return { payment: partial, event: 'payment.partial', simulated: false }
}

function acceptShort(payment: Payment, accepted: Amount | undefined): Transition {
  if (payment.method !== 'crypto') {
    throw new BadAction(
      `only an underpayment by crypto can be accepted, not one by ${payment.method}. ` +
        'A gift-card order of 2.00 or more completes when its window ends.',
    )
  }
  const received = accepted ?? payment.amountReceived
  if (received === null) throw new BadAction('nothing has been received yet: specify the received amount.')
  if (compareAmounts(received, payment.amountReceived ?? '0') < 0) {
    throw new BadAction(`${payment.amountReceived} was already received: the amount cannot be ${received}.`)
  }
  if (compareAmounts(received, '0') <= 0 || compareAmounts(received, payment.amount) >= 0) {
    throw new BadAction(`an underpayment must be greater than 0 and less than ${payment.amount}.`)
  }
  return completed(payment, inDecimalsOf(payment.amount, received), false)
}

function reverse(payment: Payment, as: RefundType): Transition {
  const refundType = payment.method !== null && ALWAYS_CHARGEBACK.includes(payment.method) ? 'chargeback' : as
  const refunded = { ...payment, status: 'refunded' as const, refundType }
  return { payment: refunded, event: 'payment.refunded', simulated: false }
}

/** Methods whose refunds always count as involuntary. Interface 2.2, type. */
export const ALWAYS_CHARGEBACK: readonly PaymentMethod[] = ['alipay', 'wxpay', 'telegram_stars']

function endWindow(payment: Payment, now: number): Transition {
  const { windowEndsAt, amountReceived } = payment
  if (windowEndsAt === null || amountReceived === null) {
    throw new BadAction(
      `payment ${payment.id} has no 24-hour window: only partly paid gift-card orders have one.`,
    )
  }
  if (windowEndsAt > now) {
    throw new BadAction(
      `the 24-hour window of payment ${payment.id} does not end before ${new Date(windowEndsAt).toISOString()}.`,
    )
  }
  if (outcomeOfWindow(payment.amount) === 'completed') return completed(payment, amountReceived, false)
  const expired = { ...payment, status: 'expired' as const, windowEndsAt: null }
  return { payment: expired, event: 'payment.expired', simulated: false }
}

function completed(payment: Payment, amountReceived: Amount, simulated: boolean): Transition {
  const done = { ...payment, status: 'completed' as const, amountReceived, windowEndsAt: null }
  return { payment: done, event: 'payment.completed', simulated }
}

/** After a partial payment the method is fixed: otherwise a refund would involve two methods. */
function methodOf(payment: Payment, method: PaymentMethod | undefined, fallback = DEFAULT_METHOD): Payment {
  const chosen = method ?? payment.method ?? fallback
  if (payment.status === 'partial' && chosen !== payment.method) {
    throw new BadAction(
      `payment ${payment.id} is partly paid by ${payment.method}: the remaining amount must use the same method.`,
    )
  }
  return { ...payment, method: chosen }
}

/** How long a partly paid gift-card order waits for the remaining amount, in milliseconds. Interface 8. */
const GIFT_CARD_WINDOW_MS = 24 * 60 * 60 * 1000

/** Partly paid orders of at least this amount complete when their window ends; smaller ones expire. Interface 8. */
const GIFT_CARD_THRESHOLD: Amount = '2'

/** The status of a partly paid order after its window ends. Interface 2.2, amount_requested and amount_received. */
export function outcomeOfWindow(ordered: Amount): 'completed' | 'expired' {
  return compareAmounts(ordered, GIFT_CARD_THRESHOLD) >= 0 ? 'completed' : 'expired'
}

/**
 * The customer switches to another method during checkout. This creates a child transaction with its own id, which is
 * never visible outside: every event keeps the root payment's id. Interface 2.2 rule 1.
 * @param childId an unused id
 * @throws IllegalTransition unless the payment is pending; BadAction if it already uses this method
 */
export function switchMethod(payment: Payment, method: PaymentMethod, childId: string, now: number) {
  if (payment.status !== 'pending')
    throw new IllegalTransition(payment.id, payment.status, 'its method cannot be switched')
  if (payment.method === method) throw new BadAction(`payment ${payment.id} already uses ${method}.`)
  const switched: Payment = { ...payment, method, updatedAt: now }
  const child: Payment = { ...switched, id: childId, parentId: payment.id, createdAt: now }
  return { payment: switched, child }
}

/** Updates a child transaction after its root changed: the last child shares the outcome, earlier ones were abandoned. */
export function followRoot(child: Payment, root: Payment, isLast: boolean): Payment {
  const { id, parentId, createdAt, method } = child
  const abandoned = { status: 'failed', failureCode: 'cancelled_by_customer', failureReason: null } as const
  return { ...root, ...(isLast ? {} : abandoned), id, parentId, createdAt, method }
}
