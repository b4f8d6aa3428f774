import { FAILURES } from '../../fixtures/methods.ts'
import type { PaymentMethod, RefundType } from '../../schemas/types.ts'
import type { EventName, Payment, PaymentStatus } from '../model.ts'
import type { Action } from './actions.ts'
import { type Amount, addAmounts, compareAmounts, inDecimalsOf } from './amounts.ts'
import { BadAction, IllegalTransition } from './errors.ts'
import { GIFT_CARD_WINDOW_MS, outcomeOfWindow } from './gift-cards.ts'

/** A payment after something happened to it, and the event that tells of it. */
export interface Transition {
  payment: Payment
  event: EventName
  /** Whether the event says `test: true`. Interface 6 rule 2. */
  simulated: boolean
}

/** The text that interface 2.2 rule 3 lays down. */
const SIMULATED_FAILURE = 'Simulated failure'

const DEFAULT_METHOD: PaymentMethod = 'card'

/** Which states each action can start from: the whole of the state machine. Interface 3 leaves it open. */
const STARTS: Record<Action['type'], readonly PaymentStatus[]> = {
  succeed: ['pending', 'partial'],
  fail: ['pending'],
  pay_part: ['pending', 'partial'],
  accept_short: ['pending', 'partial'],
  reverse: ['completed'],
  end_window: ['partial'],
}

/**
 * What an action makes of a payment. Pure: nothing is stored and nobody told. Interface 3 and 6.
 * @param now milliseconds since 1970
 * @throws IllegalTransition when the payment's state does not allow it; BadAction when the action makes no sense for it
 */
export function apply(payment: Payment, action: Action, now: number): Transition {
  if (!STARTS[action.type].includes(payment.status)) {
    throw new IllegalTransition(payment.id, payment.status, action.type.replace('_', ' '))
  }
  if ('simulated' in action && action.simulated && payment.mode === 'live') {
    throw new BadAction(`payment ${payment.id} is live: only test payments are simulated.`)
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
    throw new BadAction('a simulated success has no settled_via: leave one of the two out.')
  }
  return completed({ ...payment, settledVia: settledVia ?? null }, payment.amount, simulated)
}

function fail(payment: Payment, action: Action & { type: 'fail' }): Transition {
  const { simulated = false, code = 'provider_error' } = action
  const reason = simulated ? SIMULATED_FAILURE : (action.reason ?? FAILURES[code].reason)
  const failed = { ...payment, status: 'failed' as const, failureCode: code, failureReason: reason }
  return { payment: failed, event: 'payment.failed', simulated }
}

function payPart(payment: Payment, part: Amount, now: number): Transition {
  if (payment.method !== 'crypto' && payment.method !== 'gift_card') {
    throw new BadAction(`only crypto and gift cards can be paid in part, not ${payment.method}.`)
  }
  if (compareAmounts(part, '0') <= 0) throw new BadAction('a part has to be more than nothing.')
  const received = inDecimalsOf(payment.amount, addAmounts(payment.amountReceived ?? '0', part))
  if (compareAmounts(received, payment.amount) >= 0) return completed(payment, received, false)
  // The window begins with the first part; another part does not move its end.
  const windowEndsAt =
    payment.method === 'gift_card' ? (payment.windowEndsAt ?? now + GIFT_CARD_WINDOW_MS) : null
  const partial = { ...payment, status: 'partial' as const, amountReceived: received, windowEndsAt }
  return { payment: partial, event: 'payment.partial', simulated: false }
}

function acceptShort(payment: Payment, given: Amount | undefined): Transition {
  if (payment.method !== 'crypto') {
    throw new BadAction(
      `a short payment by ${payment.method} is not accepted by hand: only one by crypto is. ` +
        'A gift-card order of $2 or more completes when its window ends.',
    )
  }
  const received = given ?? payment.amountReceived
  if (received === null) throw new BadAction('nothing has come in yet: say how much was received.')
  if (compareAmounts(received, payment.amountReceived ?? '0') < 0) {
    throw new BadAction(`${payment.amountReceived} has come in already: it can not be ${received}.`)
  }
  if (compareAmounts(received, '0') <= 0 || compareAmounts(received, payment.amount) >= 0) {
    throw new BadAction(`a short payment is more than nothing and less than ${payment.amount}.`)
  }
  return completed(payment, inDecimalsOf(payment.amount, received), false)
}

function reverse(payment: Payment, as: RefundType): Transition {
  const refundType = payment.method !== null && ALWAYS_CHARGEBACK.includes(payment.method) ? 'chargeback' : as
  const refunded = { ...payment, status: 'refunded' as const, refundType }
  return { payment: refunded, event: 'payment.refunded', simulated: false }
}

/** Whose refunds count as involuntary, whoever asked for them. Interface 2.2, type. */
const ALWAYS_CHARGEBACK: readonly PaymentMethod[] = ['alipay', 'wxpay', 'telegram_stars']

function endWindow(payment: Payment, now: number): Transition {
  const { windowEndsAt, amountReceived } = payment
  if (windowEndsAt === null || amountReceived === null) {
    throw new BadAction(`payment ${payment.id} has no window: only part-paid gift-card orders have.`)
  }
  if (windowEndsAt > now) {
    throw new BadAction(
      `the window of payment ${payment.id} ends at ${new Date(windowEndsAt).toISOString()}.`,
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

/** A customer who has paid a part by one method can not pay the rest by another: there are two parts to give back then. */
function methodOf(payment: Payment, method: PaymentMethod | undefined, otherwise = DEFAULT_METHOD): Payment {
  const chosen = method ?? payment.method ?? otherwise
  if (payment.status === 'partial' && chosen !== payment.method) {
    throw new BadAction(
      `payment ${payment.id} is part-paid by ${payment.method}: the rest comes the same way.`,
    )
  }
  return { ...payment, method: chosen }
}
