/** Seconds, minutes and hours, in milliseconds. */
const S = 1000
const MIN = 60 * S
const H = 60 * MIN

/** The waits after the first, second, … failed attempt, in milliseconds. When they are used up, the delivery has failed. */
export const SCHEDULES = {
  fast: [1 * S, 5 * S, 15 * S, 60 * S, 5 * MIN],
  realistic: [5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 10 * H],
} as const satisfies Record<string, readonly number[]>

export type ScheduleName = keyof typeof SCHEDULES

/** The random share added to or subtracted from a wait, so that deliveries that failed together are not retried together. */
const JITTER = 0.2

/** The longest wait that a receiver can request, in milliseconds. */
const LONGEST_RETRY_AFTER = 24 * H

/** The input of {@link waitAfter}. */
export interface FailedAttempt {
  /** How many attempts have failed, including this one. */
  readonly failures: number
  /** The wait from the receiver's Retry-After header, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** Random numbers from 0 to 1. */
  readonly random: () => number
}

/**
 * How long to wait before the next attempt: a convention of the sandbox, since interface 6 rule 3 leaves it open. The
 * receiver's Retry-After makes a wait longer, up to 24 hours, and never shorter: otherwise `Retry-After: 0` would flood
 * the receiver.
 * @param waits one of {@link SCHEDULES}, or other waits in milliseconds
 * @returns milliseconds; undefined after the last wait
 */
export function waitAfter(waits: readonly number[], attempt: FailedAttempt): number | undefined {
  const { failures, retryAfterMs = 0, random } = attempt
  const wait = waits[failures - 1]
  if (wait === undefined) return undefined
  const jittered = wait * (1 - JITTER + 2 * JITTER * random())
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, LONGEST_RETRY_AFTER)))
}
