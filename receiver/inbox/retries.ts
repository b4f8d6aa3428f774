import type { AfterFailure } from '../inbox.ts'
import { requireWhole } from '../options.ts'

/** How often, and how soon, an attempt that failed is made again. The same for each kind of inbox. */
export interface RetryPolicy {
  /** After so many attempts an entry is dead, until a person retries it. */
  readonly maxAttempts: number
  /** The wait after the first failure, in milliseconds. It doubles with each further one. */
  readonly firstDelayMs: number
  /** The longest wait, in milliseconds. */
  readonly longestDelayMs: number
}

/** The reason of an entry that was still being handled, in its last attempt, when the process or the store failed. */
export const LAST_ATTEMPT_UNENDED = 'The process ended during the last attempt.'

/**
 * Fills in the defaults: 36 attempts, spread over a day: a store or a service that is away for a night loses nothing.
 * @throws TypeError if one of the numbers is no whole number above 0.
 */
export function retryPolicy(given: Partial<RetryPolicy> = {}): RetryPolicy {
  const { maxAttempts = 36, firstDelayMs = 1000, longestDelayMs = 3_600_000 } = given
  requireWhole({ maxAttempts, firstDelayMs, longestDelayMs })
  return { maxAttempts, firstDelayMs, longestDelayMs }
}

/** What becomes of an entry whose nth attempt failed at `now` (milliseconds). */
export function afterFailure(policy: RetryPolicy, attempt: number, now: number): AfterFailure {
  const { maxAttempts, firstDelayMs, longestDelayMs } = policy
  if (attempt >= maxAttempts) return { state: 'dead' }
  return { state: 'pending', dueAt: now + Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) }
}
