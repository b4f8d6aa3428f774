import type { Database } from './sqlite.ts'

/** Creates the transactions of a database; everything written to it goes through them. */
export function transactionsOf(database: Database) {
  /** Callbacks to run after the open transaction; undefined when none is open. */
  let after: (() => void)[] | undefined

  /**
   * Runs the work atomically: if it throws, nothing is written. The changes survive the end of the process when this
   * returns. Inside another transaction it becomes part of that.
   */
  function transaction<Result>(work: () => Result): Result {
    if (after !== undefined) return work()
    const own: (() => void)[] = []
    const result = committed(() => {
      after = own
      try {
        return work()
      } finally {
        after = undefined
      }
    })
    for (const then of own) then()
    return result
  }

  function committed<Result>(work: () => Result): Result {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      database.exec('COMMIT')
      return result
    } catch (error) {
      try {
        database.exec('ROLLBACK')
      } catch {
        // On a full disk SQLite has already rolled back; the first error is the one to report.
      }
      throw error
    }
  }

  return {
    transaction,
    /** Runs a callback after the current transaction is committed, and not if it fails; immediately outside a transaction. */
    afterCommit: (then: () => void): void => {
      if (after === undefined) then()
      else after.push(then)
    },
  }
}
