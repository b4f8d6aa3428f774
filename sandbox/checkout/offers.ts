import type { Payment } from '../model.ts'

/** What stands on the page itself: the method switcher and the two large buttons. */
const PLAIN = ['switch', 'succeed', 'fail'] as const

/** What stands in the drawer. */
const DRAWER = [
  'fail_with',
  'pay_part',
  'accept_short',
  'settle',
  'end_window',
  'refund',
  'chargeback',
] as const

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
      return ['refund', 'chargeback']
    case 'failed':
    case 'expired':
    case 'refunded':
      return []
  }
}
