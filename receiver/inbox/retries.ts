import type { AfterFailure } from '../inbox.ts'
import { requirePositiveIntegers } from '../shared/options.ts'

/** How often and how soon a failed attempt is retried. The same for every kind of inbox. */
export interface RetryPolicy {
  /** After this many attempts an entry is dead until someone retries it. */
  readonly maxAttempts: number
  /** The delay after the first failure, in milliseconds. It doubles with each further failure. */
  readonly firstDelayMs: number
  /** The maximum delay, in milliseconds. */
  readonly maxDelayMs: number
}

/** The last error of an entry whose last attempt was interrupted by a failure of the process or the store. */
export const LAST_ATTEMPT_INTERRUPTED = 'The process ended during the last attempt.'

/**
 * Fills in the defaults: 36 attempts over about a day, so that a service that is down overnight loses nothing.
 * @throws TypeError if a number is not an integer of at least 1.
 */
export function retryPolicy(given: Partial<RetryPolicy> = {}): RetryPolicy {
  const { maxAttempts = 36, firstDelayMs = 1000, maxDelayMs = 3_600_000 } = given
  requirePositiveIntegers({ maxAttempts, firstDelayMs, maxDelayMs })
  return { maxAttempts, firstDelayMs, maxDelayMs }
}

/** The next state of an entry whose nth attempt failed at `now` (Unix time in milliseconds). */
export function afterFailure(policy: RetryPolicy, attempt: number, now: number): AfterFailure {
  const { maxAttempts, firstDelayMs, maxDelayMs } = policy
  if (attempt >= maxAttempts) return { state: 'dead' }
  return { state: 'pending', dueAt: now + Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs) }
}
