/** Seconds, minutes and hours, in milliseconds. */
const S = 1000
const MIN = 60 * S
const H = 60 * MIN

/** The waits after the first, the second, … failed attempt, in milliseconds; after the last of them it is given up. */
export const SCHEDULES = {
  fast: [1 * S, 5 * S, 15 * S, 60 * S, 5 * MIN],
  realistic: [5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 10 * H],
} as const satisfies Record<string, readonly number[]>

export type ScheduleName = keyof typeof SCHEDULES

/** How far a wait may be moved either way, so that what failed together does not come back together. */
const JITTER = 0.2

/** The longest wait that a receiver can ask for. */
const LONGEST_RETRY_AFTER = 24 * H

/** What {@link waitAfter} goes by. */
export interface FailedAttempt {
  /** How many attempts of this round have failed, this one included. */
  readonly failures: number
  /** What the receiver asked for with Retry-After, in milliseconds, if anything. */
  readonly retryAfterMs?: number | undefined
  /** A draw from 0 up to 1. */
  readonly random: () => number
}

/**
 * How long to wait before the next attempt (interface 6.3 leaves it open: a convention of the sandbox). The receiver's
 * Retry-After makes a wait longer, to 24 hours at most, and never shorter: else one that answers `Retry-After: 0` would
 * be hammered.
 * @param waits one of {@link SCHEDULES}, or others in milliseconds
 * @returns milliseconds; undefined when the schedule has ended
 */
export function waitAfter(waits: readonly number[], attempt: FailedAttempt): number | undefined {
  const { failures, retryAfterMs = 0, random } = attempt
  const wait = waits[failures - 1]
  if (wait === undefined) return undefined
  const jittered = wait * (1 - JITTER + 2 * JITTER * random())
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, LONGEST_RETRY_AFTER)))
}
