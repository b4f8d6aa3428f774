import type { PaymentMethod } from '../../schemas/types.ts'
import type { Payment } from '../model.ts'

/** The actions on the page itself: the method switcher, the end of the window, and the two large buttons. */
const MAIN = ['switch', 'end_window', 'succeed', 'fail'] as const

/** The actions in the drawer. */
const DRAWER = ['fail_with', 'pay_part', 'accept_short', 'settle', 'refund', 'chargeback'] as const

/** Methods that are always reversed by a chargeback, so a Refund button would be wrong. Interface 2.2, type. */
const NEVER_REFUNDED: readonly (PaymentMethod | null)[] = ['alipay', 'wxpay', 'telegram_stars']

/** An action of the checkout: the value of the submit button. */
export type ActionName = (typeof MAIN)[number] | (typeof DRAWER)[number]

/** Whether the action is in the drawer, which must be open to show the action's error. */
export const isInDrawer = (action: string): boolean => DRAWER.some((name) => name === action)

/**
 * The actions that a payment allows; the page shows no button that could only be rejected. Interface 3, with the states
 * of domain/transitions.ts: a finished payment can only be reversed.
 */
export function offersOf({ status, method }: Pick<Payment, 'status' | 'method'>): readonly ActionName[] {
  const isCrypto = method === 'crypto'
  const partial: ActionName[] = isCrypto || method === 'gift_card' ? ['pay_part'] : []
  const short: ActionName[] = isCrypto ? ['accept_short'] : []
  switch (status) {
    case 'pending':
      return ['switch', 'succeed', 'fail', 'fail_with', ...partial, ...short, 'settle']
    case 'partial':
      return ['succeed', ...partial, ...short, ...(method === 'gift_card' ? ['end_window' as const] : [])]
    case 'completed':
      return NEVER_REFUNDED.includes(method) ? ['chargeback'] : ['refund', 'chargeback']
    case 'failed':
    case 'expired':
    case 'refunded':
      return []
  }
}
