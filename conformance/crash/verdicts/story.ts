import type { Wrong } from '../judge.ts'
import { type Moment, nameOf } from '../moments.ts'
import { acknowledgmentOf, type Payment } from '../payments.ts'

/** What happened in a round, as far as all its payments have it in common; times are those of `performance.now()`. */
export interface RoundTimes {
  readonly round: number
  readonly moment: Moment
  readonly startedAt: number
  readonly killedAt: number
  /** When the receiver accepted deliveries again. */
  readonly readyAt: number
  /** When everything was delivered again; undefined before that. */
  readonly redeliveredAt?: number
}

/** A payment that a crash lost or doubled. */
export interface Failure {
  readonly kind: 'lost' | 'doubled' | 'not-accepted'
  readonly round: number
  readonly payment: Payment
  /** One line: when it was acknowledged, when the kill came, what was observed. */
  readonly story: string
}

/** Describes what happened to one payment, in the order in which it happened. */
export function storyOf(
  payment: Payment,
  { event, observed }: Pick<Wrong, 'event' | 'observed'>,
  times: RoundTimes,
  end: string,
): string {
  const at = (time: number) => `${Math.round(time - times.startedAt)} ms`
  const { killedAt, readyAt, redeliveredAt, round, moment } = times
  const first = payment.sent.find(({ delivery }) => delivery.event === event)
  const acknowledged = acknowledgmentOf(payment, event)
  const acknowledgedAt = acknowledged?.answeredAt
  const isAcknowledged = acknowledgedAt !== undefined && acknowledgedAt <= readyAt
  const before = isAcknowledged
    ? acknowledgedAt <= killedAt
      ? `acknowledged at ${at(acknowledgedAt)}`
      : `acknowledged just before the kill (the 200 arrived at ${at(acknowledgedAt)})`
    : first === undefined
      ? 'not sent'
      : `sent at ${at(first.sentAt)} without an acknowledgment`
  const parts = [
    before,
    `SIGKILL at ${at(killedAt)} (${nameOf(moment)})`,
    `deliveries accepted again at ${at(readyAt)}`,
    ...(redeliveredAt === undefined
      ? []
      : [`delivered again with new signatures and acknowledged by ${at(redeliveredAt)}`]),
    `observed: ${observed}${end === '' ? '' : ` ${end}`}`,
  ]
  return `round ${round}, ${payment.id}, ${event}: ${parts.join('; ')}`
}
