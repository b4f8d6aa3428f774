import type { Database } from './sqlite.ts'

type Then = () => void

interface Job {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
}

/** The most writes in one commit: by then the disk sync is a small part of the cost of each. */
const ENOUGH = 64

/** Creates the transactions of a database; everything written to it goes through them. */
export function transactionsOf(database: Database) {
  /** Callbacks to run after the open transaction; undefined when none is open. */
  let after: Then[] | undefined
  let queue: Job[] = []

  /**
   * Runs the work atomically: if it throws, nothing is written. The changes are on disk when this returns. Inside
   * another transaction or a write it becomes part of that.
   */
  function transaction<Result>(work: () => Result): Result {
    if (after !== undefined) return work()
    const done = committed(() => gathered(work))
    for (const then of done.after) then()
    return done.result
  }

  /**
   * A disk sync costs far more than a write, so the commit waits while each turn of the event loop brings another write.
   * A turn without a write takes microseconds, so a single write hardly waits, and no timer is needed.
   */
  function gather(before: number): void {
    if (queue.length > before && queue.length < ENOUGH) setImmediate(gather, queue.length)
    else flush()
  }

  /** Commits the waiting writes, before the database is closed. */
  function flush(): void {
    const jobs = queue
    queue = []
    if (jobs.length === 0) return
    let ends: Then[]
    try {
      ends = committed(() => jobs.map(carryOut))
    } catch (error) {
      for (const { reject } of jobs) reject(error)
      return
    }
    for (const end of ends) end()
  }

  /** Runs one of several writes. @returns the callback that settles it once all of them are on disk, its error included */
  function carryOut({ work, resolve, reject }: Job): Then {
    database.exec('SAVEPOINT job')
    try {
      const { result, after } = gathered(work)
      database.exec('RELEASE job')
      return () => {
        try {
          for (const then of after) then()
          resolve(result as never)
        } catch (error) {
          reject(error)
        }
      }
    } catch (error) {
      // On a full disk SQLite rolls back the entire transaction by itself; the other writes must not continue then.
      if (!tried(database, 'ROLLBACK TO job; RELEASE job')) throw error
      return () => reject(error)
    }
  }

  function gathered<Result>(work: () => Result): { result: Result; after: Then[] } {
    const own: Then[] = []
    after = own
    try {
      return { result: work(), after: own }
    } finally {
      after = undefined
    }
  }

  function committed<Result>(work: () => Result): Result {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      database.exec('COMMIT')
      return result
    } catch (error) {
      // Fails if SQLite has already rolled back; the first error is the one to report.
      tried(database, 'ROLLBACK')
      throw error
    }
  }

  return {
    transaction,
    /**
     * The same for callers that can wait: concurrent writes share one commit, which is on disk when the promise resolves.
     * A write that throws rolls back only its own changes.
     */
    write: <Result>(work: () => Result) =>
      new Promise<Result>((resolve, reject) => {
        if (queue.push({ work, resolve, reject }) === 1) setImmediate(gather, 0)
      }),
    /** Runs a callback after the current transaction is on disk, and not if it fails; immediately outside a transaction. */
    afterCommit: (then: Then): void => {
      if (after === undefined) then()
      else after.push(then)
    },
    flush,
  }
}

function tried(database: Database, sql: string): boolean {
  try {
    database.exec(sql)
    return true
  } catch {
    return false
  }
}
