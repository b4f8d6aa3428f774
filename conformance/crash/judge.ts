import type { Effect } from '../../schemas/types.ts'
import { acknowledgmentOf, COMPLETED, type Payment, REFUND, wasSent } from './payments.ts'

/**
 * What is wrong with the effects of a payment. Something `missing` may still come; what is `doubled` stays.
 */
export interface Wrong {
  readonly kind: 'missing' | 'doubled'
  /** The event whose effect is missing or doubled. */
  readonly event: typeof COMPLETED | typeof REFUND
  /** What was observed, such as `no effect` or `fulfilled twice`. */
  readonly observed: string
}

/**
 * Judges a payment by what was acknowledged so far (SPEC.md 6.7 and 7.2). What was sent without an acknowledgment may or
 * may not be there. A refund that is processed before its completion may leave no effect at all (SPEC.md 9.8).
 */
export function judge(payment: Payment, effects: readonly Effect[]): Wrong | undefined {
  const fulfilled = count(effects, 'fulfilled')
  const reversed = count(effects, 'reversed')
  const observed = describe(effects)
  // A refund of unknown order may bring a second reversal only after a second fulfillment.
  if (fulfilled > 1) return { kind: 'doubled', event: COMPLETED, observed }
  if (reversed > 1) return { kind: 'doubled', event: REFUND, observed }
  const isRefundSent = wasSent(payment, REFUND)
  if (acknowledgmentOf(payment, COMPLETED) !== undefined && fulfilled === 0 && !isRefundSent) {
    return { kind: 'missing', event: COMPLETED, observed }
  }
  const isRefundKept = acknowledgmentOf(payment, REFUND) !== undefined
  if (isRefundKept && fulfilled === 1 && reversed === 0) return { kind: 'missing', event: REFUND, observed }
  return undefined
}

/** The effects in words: `no effect`, `fulfilled`, `fulfilled twice, then reversed`. */
export function describe(effects: readonly Effect[]): string {
  if (effects.length === 0) return 'no effect'
  const fulfilled = count(effects, 'fulfilled')
  const reversed = count(effects, 'reversed')
  const parts = [times('fulfilled', fulfilled), times('reversed', reversed)].filter((part) => part !== '')
  return parts.join(', ')
}

function times(what: string, number: number): string {
  if (number === 0) return ''
  if (number === 1) return what
  return number === 2 ? `${what} twice` : `${what} ${number} times`
}

function count(effects: readonly Effect[], wanted: Effect['effect']): number {
  return effects.filter(({ effect }) => effect === wanted).length
}
