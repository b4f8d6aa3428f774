import type { Effect } from '../../schemas/types.ts'
import type { Kit, PaymentContract } from '../contracts/payment-service/index.ts'
import type { EffectCounts } from '../contracts/webhook/crash-finding.ts'
import type { Delivery } from '../contracts/webhook/delivery.ts'
import type { Attempt } from './send.ts'

export const COMPLETED = 'payment.completed'
export const REFUND = 'payment.refunded'

/** The event of a delivery of this run. */
export type PaymentEvent = typeof COMPLETED | typeof REFUND

/** A payment of a round, with everything that was sent about it. */
export interface Payment {
  readonly id: string
  readonly completed: Delivery
  /** The refund that follows, if the payment has one. */
  readonly refund: Delivery | undefined
  /** Whether the completion is sent twice. */
  readonly isRepeated: boolean
  /** Set when its refund is sent before the crash, and its completion only after it. */
  readonly isRefundedEarly?: true
  /** In the order in which they were sent; more are added while the round runs. */
  readonly sent: Attempt[]
}

const REFUNDED = 0.25
const REPEATED = 0.3
/** The largest body that every receiver accepts: what it is stored in, such as a line of a log, is longer. */
const LARGEST_BYTES = 64 * 1024

/**
 * Makes the n-th payment of a round: the refund of the first arrives before its completion, and the second is large. Of the
 * others one in four is refunded. Three in ten are delivered twice.
 *
 * The early refund comes first so that a receiver has handled it by the time the effect of another payment shows: one that is
 * handled only after the start is not forgotten in the crash.
 *
 * @param n from 0
 */
export function makePayment(
  kit: Kit,
  { reversalOf }: Pick<PaymentContract, 'reversalOf'>,
  random: () => number,
  n: number,
): Payment {
  const completed = n === 1 ? largest(kit) : kit.delivery('completed')
  const isRefundedEarly = n === 0
  const isRefunded = random() < REFUNDED || isRefundedEarly
  return {
    id: completed.key ?? '',
    completed,
    refund: isRefunded ? reversalOf(completed, kit) : undefined,
    isRepeated: random() < REPEATED,
    ...(isRefundedEarly && { isRefundedEarly }),
    sent: [],
  }
}

function largest(kit: Kit): Delivery {
  const event = kit.event('completed', { metadata: { note: '' } })
  const rest = LARGEST_BYTES - Buffer.byteLength(JSON.stringify(event))
  return kit.delivery('completed', { ...event, metadata: { note: 'x'.repeat(rest) } })
}

/** The deliveries of a payment before the crash, in the order in which they are sent. */
export function deliveriesOf({ completed, refund, isRepeated, isRefundedEarly }: Payment): Delivery[] {
  const completions = isRefundedEarly === true ? [] : [completed, ...(isRepeated ? [completed] : [])]
  return [...completions, ...(refund === undefined ? [] : [refund])]
}

/** Whether a delivery of this event was answered with 200; the first such answer. */
export function acknowledgmentOf({ sent }: Payment, event: string): Attempt | undefined {
  return sent.find(({ delivery, status }) => delivery.event === event && status === 200)
}

/** Whether a delivery of this event was sent at all, so that the receiver may have stored it. */
export function wasSent({ sent }: Payment, event: string): boolean {
  return sent.some(({ delivery }) => delivery.event === event)
}

/**
 * What is wrong with the effects of a payment. Something `missing` may still come; what is `doubled` stays.
 */
export interface Discrepancy {
  readonly kind: 'missing' | 'doubled'
  /** The event whose effect is missing or doubled. */
  readonly event: PaymentEvent
  readonly observed: EffectCounts
}

/**
 * Judges a payment by what was acknowledged so far (SPEC.md 6.7 and 7.2). What was sent without an acknowledgment may or
 * may not be there. A refund that is processed before its completion may leave no effect at all (SPEC.md 9.8).
 */
export function judgePayment(payment: Payment, effects: readonly Effect[]): Discrepancy | undefined {
  const observed = countEffects(effects)
  const { fulfilled, reversed } = observed
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

/** How often a payment was fulfilled and reversed. */
export function countEffects(effects: readonly Effect[]): EffectCounts {
  const count = (wanted: Effect['effect']) => effects.filter(({ effect }) => effect === wanted).length
  return { fulfilled: count('fulfilled'), reversed: count('reversed') }
}
