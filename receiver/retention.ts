import type { Inbox } from './inbox.ts'
import { guarded } from './shared/callback.ts'
import { requirePositiveIntegers } from './shared/options.ts'

export interface RetentionOptions {
  inbox: Pick<Inbox, 'purge'>
  /** How long handled events are kept, in days. */
  days?: number
  /** How often to delete older events, in milliseconds. */
  everyMs?: number
  /** The current Unix time in milliseconds. */
  clock?: () => number
  /** Called with the number of deleted events, if there were any. What it throws is logged. */
  onPurged?: (count: number) => void
  /** Called with the error of each purge that failed. What it throws is logged. */
  onFailure?: (error: unknown) => void
}

export interface Retention {
  stop(): void
}

const DAY_MS = 86_400_000

/**
 * Deletes handled events that are older than the retention time, now and at regular intervals. If the time is too short, a
 * late redelivery counts as a new event. SPEC.md 7.
 * @throws TypeError if a number is not an integer of at least 1.
 */
export function startRetention(options: RetentionOptions): Retention {
  const { inbox, days = 90, everyMs = 3_600_000, clock = Date.now } = options
  const onPurged = guarded('onPurged', options.onPurged ?? (() => {}))
  const onFailure = guarded('onFailure', options.onFailure ?? (() => {}))
  requirePositiveIntegers({ days, everyMs })
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
