import { SCENARIOS } from '../../../../fixtures/index.ts'
import { inOrder, inTurn, untilEffect } from '../../../engine/plan.ts'
import type { Delivery } from '../delivery.ts'
import { type Kit, paymentOf } from '../kit.ts'
import type { Plan } from '../model.ts'

const BY_METHOD = SCENARIOS.filter((scenario) => scenario.startsWith('completed-by-'))
const FAILURES = SCENARIOS.filter((scenario) => scenario.startsWith('failed-'))
/** The methods whose reversals are involuntary (Interface 2.2). */
const CHARGED_BACK: readonly unknown[] = ['card', 'alipay', 'wxpay', 'telegram_stars']

/** A completed payment by each method. */
export function everyMethod(kit: Kit): Delivery[] {
  return BY_METHOD.map((scenario) => kit.delivery(scenario))
}

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
