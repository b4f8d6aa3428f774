import type { PaymentMethod } from '../../schemas/types.ts'
import type { Payment } from '../model.ts'

/** What stands on the page itself: the method switcher, the end of the wait, and the two large buttons. */
const PLAIN = ['switch', 'end_window', 'succeed', 'fail'] as const

/** What stands in the drawer. */
const DRAWER = ['fail_with', 'pay_part', 'accept_short', 'settle', 'refund', 'chargeback'] as const

/** Whose reversal is a chargeback, whatever was asked for: a button Refund would say what does not happen. 2.2, type. */
const NEVER_REFUNDED: readonly (PaymentMethod | null)[] = ['alipay', 'wxpay', 'telegram_stars']

/** A button of the checkout, as its form names it. */
export type PressName = (typeof PLAIN)[number] | (typeof DRAWER)[number]

/** Whether a button stands in the drawer, which must be open then for its error to be seen. */
export const isInDrawer = (press: string): boolean => DRAWER.some((name) => name === press)

/**
 * The buttons that a payment still has, so that none is shown that could only be refused. Interface 3, with the
 * states of domain/transitions.ts: a finished payment has none but those that reverse it.
 */
export function offersOf({ status, method }: Pick<Payment, 'status' | 'method'>): readonly PressName[] {
  const isCrypto = method === 'crypto'
  const inParts: PressName[] = isCrypto || method === 'gift_card' ? ['pay_part'] : []
  const short: PressName[] = isCrypto ? ['accept_short'] : []
  switch (status) {
    case 'pending':
      return ['switch', 'succeed', 'fail', 'fail_with', ...inParts, ...short, 'settle']
    case 'partial':
      return ['succeed', ...inParts, ...short, ...(method === 'gift_card' ? ['end_window' as const] : [])]
    case 'completed':
      return NEVER_REFUNDED.includes(method) ? ['chargeback'] : ['refund', 'chargeback']
    case 'failed':
    case 'expired':
    case 'refunded':
      return []
  }
}
