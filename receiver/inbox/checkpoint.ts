import { carryOver, type Database } from './database.ts'

/**
 * Carries the log over into the file once nothing has been written for a moment, so that the pause that this takes
 * falls into a quiet time, and the log is short when the process dies.
 * @param everyMs how often to look, in milliseconds
 * @returns what ends it
 */
export function checkpointWhenQuiet(database: Database, everyMs = 1000): () => void {
  const changes = database.prepare('SELECT total_changes() AS count')
  const countChanges = (): number => changes.get().count
  let before = countChanges()
  let carriedOver = before

  const look = (): void => {
    const now = countChanges()
    const quiet = now === before
    before = now
    if (!quiet || now === carriedOver) return
    carriedOver = now
    try {
      carryOver(database, 'PASSIVE')
    } catch {
      // Nothing is lost by it, and the next write that can not be done will say why.
    }
  }

  const timer = setInterval(look, everyMs).unref()
  return () => clearInterval(timer)
}
