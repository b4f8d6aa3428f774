import { SCENARIOS } from '../../fixtures/index.ts'
import type { Delivery } from '../case/delivery.ts'
import { type Kit, paymentOf } from '../case/kit.ts'

const BY_METHOD = SCENARIOS.filter((scenario) => scenario.startsWith('completed-by-'))
/** The methods whose reversals are involuntary (Interface 2.2). */
const CHARGED_BACK: readonly unknown[] = ['card', 'alipay', 'wxpay', 'telegram_stars']

/** A completed payment by each method. */
export function everyMethod(kit: Kit): Delivery[] {
  return BY_METHOD.map((scenario) => kit.delivery(scenario))
}

/** The reversal of a completed payment, of the type that its method has. */
export function reversalOf(paid: Delivery, kit: Kit): Delivery {
  const payment = paymentOf(paid)
  return kit.delivery(CHARGED_BACK.includes(payment['payment_method']) ? 'chargeback' : 'refund', payment)
}
