import { SCENARIOS, type Scenario } from '../../../fixtures/index.ts'
import { inAnyOrder, inOrder, inTurn, later, untilAcknowledged, untilEffect } from '../../engine/plan.ts'
import type { Delivery } from '../webhook/delivery.ts'
import type { Plan } from '../webhook/model.ts'
import { aboutEvent, type Kit, paymentOf } from './kit.ts'

const BY_METHOD = SCENARIOS.filter((scenario) => scenario.startsWith('completed-by-'))
const FAILURES = SCENARIOS.filter((scenario) => scenario.startsWith('failed-'))
/** The methods whose reversals are involuntary (Interface 2.2). */
const CHARGED_BACK: readonly unknown[] = ['card', 'alipay', 'wxpay', 'telegram_stars']

/** A completed payment by each method. */
export function everyMethod(kit: Kit): Delivery[] {
  return BY_METHOD.map((scenario) => kit.delivery(scenario))
}

/** Sends a valid delivery of each scenario, each of another payment. */
export const deliver =
  (...scenarios: Scenario[]) =>
  (kit: Kit): Plan =>
    inAnyOrder(...scenarios.map((scenario) => kit.delivery(scenario)))

export const refundOf = (paid: Delivery, kit: Kit): Delivery => kit.delivery('refund', paymentOf(paid))
export const chargebackOf = (paid: Delivery, kit: Kit): Delivery =>
  kit.delivery('chargeback', paymentOf(paid))

/** A completed payment, then its reversals in turn once its effect shows. */
export const paidThen =
  (reversalsOf: (paid: Delivery, kit: Kit) => Delivery[]) =>
  (kit: Kit): Plan => {
    const paid = kit.delivery('completed')
    return inOrder(inTurn(paid), untilEffect(paid), inTurn(...reversalsOf(paid, kit)))
  }

/** The reversal of a completed payment, of the type that its method has. */
export function reversalOf(paid: Delivery, kit: Kit): Delivery {
  const payment = paymentOf(paid)
  return kit.delivery(CHARGED_BACK.includes(payment['payment_method']) ? 'chargeback' : 'refund', payment)
}

/** A payment that failed in each of the ways, and was then paid by another method. */
export function everyFailure(kit: Kit): { readonly failed: Delivery; readonly paid: Delivery }[] {
  return FAILURES.map((scenario) => {
    const paid = kit.delivery('completed-by-gcash')
    // The failed attempt has its own method.
    const { id, amount, currency, metadata } = paymentOf(paid)
    return { failed: kit.delivery(scenario, { id, amount, currency, metadata }), paid }
  })
}

/** The delivery from a sender that does not wait for the response, and closes the connection or resets it. */
export const senderGone = (
  delivery: Delivery,
  withinMs: number,
  how: { readonly isReset?: true } = {},
): Delivery => ({
  ...delivery,
  role: 'context',
  change: `a sender that ${how.isReset === true ? 'resets the connection' : 'disconnects'} ${withinMs} ms after its request`,
  transport: { kind: 'raw', version: '1.1', withinMs, ...how },
})

export const MINUTE = 60
export const DAY = 24 * 60 * MINUTE
/** In seconds: the service may resend an event in another hour, day, month or year, with a new timestamp. */
export const AGES = [400 * DAY, 40 * DAY, 2 * DAY, 90 * MINUTE, 0]

/** The `timestamp` of an event that was emitted some seconds ago. */
export const emitted = (kit: Kit, secondsAgo: number) => ({
  timestamp: new Date((kit.emittedAt() - secondsAgo) * 1000).toISOString(),
})
/** The same event, emitted once more: only its timestamp is another. */
export const emittedAgain = (delivery: Delivery, kit: Kit, secondsAgo: number): Delivery => {
  const event = JSON.parse(delivery.body.toString()) as Record<string, unknown>
  const body = Buffer.from(JSON.stringify({ ...event, ...emitted(kit, secondsAgo) }))
  return kit.redelivery(delivery, { body })
}

/** More than a cache of common size holds. */
const PAYMENTS = 1_050
/** More early refunds than a receiver with a list of them for today would keep. */
const EARLY = 300
/** Sends no more after this time, in milliseconds: the receiver may be slow. */
const WITHIN_MS = 10_000
/** A completed payment among the early refunds shows how far the receiver has come. */
const COMPLETED_EVERY = 20

/** Payments that the case is not about: the same event, each of another payment. */
const otherPayments = (kit: Kit, scenario: Scenario = 'completed') => {
  const event = kit.event(scenario, { metadata: {} })
  const prefix = String(event['id']).slice(0, -4)
  return (n: number): Delivery => {
    const id = `${prefix}${String(n).padStart(4, '0')}`
    const other = { ...event, id, payment_id: id, order_id: id }
    return { ...kit.body(JSON.stringify(other), aboutEvent(other)), role: 'context' }
  }
}
/** More other payments than a cache holds, after all other cases have sent. */
export const amongOthers = (kit: Kit): Plan =>
  inOrder(later(0), untilAcknowledged(PAYMENTS, WITHIN_MS, otherPayments(kit)))
/** Refunds whose completions have not arrived, and completed payments among them. */
export const amongEarlyRefunds = (kit: Kit): Plan => {
  const [refund, completed] = [otherPayments(kit, 'refund'), otherPayments(kit)]
  const make = (n: number) => (n % COMPLETED_EVERY === COMPLETED_EVERY - 1 ? completed(n) : refund(n))
  return inOrder(later(0), untilAcknowledged(EARLY, WITHIN_MS, make, true))
}
