import type { Wrong } from '../judge.ts'
import { type Moment, nameOf } from '../moments.ts'
import { acknowledgmentOf, type Payment } from '../payments.ts'
import type { Sent } from '../send.ts'

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
  /** How long before the kill it was acknowledged, in milliseconds; undefined for what was acknowledged only after the restart. */
  readonly beforeKillMs: number | undefined
  /** Whether it was observed only after everything had been delivered again. */
  readonly isAfterRedelivery: boolean
  /** For a lost payment: whether it had its effect after it was delivered again. */
  readonly isRecovered?: boolean
  /** One line: when it was acknowledged, when the kill came, what was observed. */
  readonly story: string
}

/** Describes a payment that is not as it should be. */
export function failureOf(
  kind: Failure['kind'],
  payment: Payment,
  wrong: Pick<Wrong, 'event' | 'observed'>,
  times: RoundTimes,
  end = '',
): Failure {
  const acknowledged = acknowledgmentOf(payment, wrong.event)
  const answeredAt = acknowledged?.answeredAt
  const isBefore = answeredAt !== undefined && isOfBefore(acknowledged, times)
  return {
    kind,
    round: times.round,
    payment,
    // A response that was on its way when the kill came arrives after it.
    beforeKillMs: isBefore ? Math.max(0, times.killedAt - answeredAt) : undefined,
    isAfterRedelivery: times.redeliveredAt !== undefined,
    story: storyOf(payment, wrong, times, end),
  }
}

/** Whether this is of the process that was killed. The probe of the restart and redeliveries are sent after the kill. */
function isOfBefore(sent: Sent | undefined, { killedAt, readyAt }: RoundTimes): boolean {
  return sent?.answeredAt !== undefined && sent.sentAt <= killedAt && sent.answeredAt <= readyAt
}

/** Describes what happened to one payment, in the order in which it happened. */
function storyOf(
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
  const isSentBefore = first !== undefined && first.sentAt <= killedAt
  const before =
    acknowledgedAt !== undefined && isOfBefore(acknowledged, times)
      ? acknowledgedAt <= killedAt
        ? `acknowledged at ${at(acknowledgedAt)}`
        : `acknowledged just before the kill (the 200 arrived at ${at(acknowledgedAt)})`
      : first === undefined
        ? 'not sent'
        : isSentBefore
          ? `sent at ${at(first.sentAt)} without an acknowledgment`
          : 'not sent before the kill'
  const parts = [
    before,
    `killed at ${at(killedAt)} (${nameOf(moment)})`,
    `started again and accepted deliveries at ${at(readyAt)}`,
    ...(redeliveredAt === undefined ? [] : [`delivered again and acknowledged by ${at(redeliveredAt)}`]),
    `then ${observed}${end}`,
  ]
  return `round ${round}, ${payment.id}, ${event}: ${parts.join('; ')}`
}
