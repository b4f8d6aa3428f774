import type { Inbox } from './inbox.ts'
import { requireWhole } from './options.ts'

export interface RetentionOptions {
  inbox: Pick<Inbox, 'purge'>
  /** How long handled events are kept, in days. */
  days?: number
  /** How often to look for those that are older, in milliseconds. */
  everyMs?: number
  /** Now, in milliseconds. */
  clock?: () => number
  /** Told how many were deleted, if any. */
  onPurged?: (count: number) => void
  onFailure?: (error: unknown) => void
}

export interface Retention {
  stop(): void
}

const DAY_MS = 86_400_000

/**
 * Deletes handled events once they are older than they need be kept, now and from time to time. Too short a time would
 * let a late redelivery be taken for a new event. SPEC.md 7.
 * @throws TypeError if one of the numbers is no whole number above 0.
 */
export function startRetention(options: RetentionOptions): Retention {
  const { inbox, days = 90, everyMs = 3_600_000, clock = Date.now } = options
  const { onPurged = () => {}, onFailure = () => {} } = options
  requireWhole({ days, everyMs })
  let purging = false

  async function purge(): Promise<void> {
    if (purging) return
    purging = true
    try {
      const count = await inbox.purge(clock() - days * DAY_MS)
      if (count > 0) onPurged(count)
    } catch (error) {
      onFailure(error)
    } finally {
      purging = false
    }
  }

  void purge()
  const timer = setInterval(() => void purge(), everyMs).unref()
  return { stop: () => clearInterval(timer) }
}
