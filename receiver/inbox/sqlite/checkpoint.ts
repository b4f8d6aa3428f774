import type { Checkpointer } from './checkpointer.ts'
import type { Database } from './driver.ts'
import { checkpoint, isTooLong } from './log.ts'

/**
 * Checkpoints the write-ahead log into the database file when no writes have happened for one interval, so that it is short
 * if the process dies. As long as other processes read the log, it tries again. A long log is checkpointed by another thread
 * first.
 * @param everyMs the interval, in milliseconds
 * @returns a function that stops it
 */
export function checkpointWhenQuiet(
  database: Database,
  checkpointer: Checkpointer,
  everyMs = 1000,
): () => void {
  const changes = database.prepare('SELECT total_changes() AS count')
  const countChanges = (): number => changes.get().count
  let before = countChanges()
  let checkpointed = before

  const checkpointIfQuiet = (): void => {
    const now = countChanges()
    const quiet = now === before
    before = now
    if (!quiet || (now === checkpointed && !isTooLong(database))) return
    try {
      if (!checkpointer.startIfLong() && checkpoint(database)) checkpointed = now
    } catch {
      // Nothing is lost, and the next write that fails will report why.
    }
  }

  const timer = setInterval(checkpointIfQuiet, everyMs).unref()
  return () => clearInterval(timer)
}
