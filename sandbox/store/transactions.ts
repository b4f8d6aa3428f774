import type { Database } from './sqlite.ts'

/** The three ways in which something gets into the store. */
export interface Transactions {
  /**
   * Does all of the work or, when it throws, none of it; it is on the disk when this returns. Inside another
   * transaction or a write it is a part of that.
   */
  readonly transaction: <Result>(work: () => Result) => Result
  /**
   * The same for who can wait: in one commit with the writes that come at the same time, and on the disk when the
   * promise resolves. One that throws undoes itself alone.
   */
  readonly write: <Result>(work: () => Result) => Promise<Result>
  /** Does something once what is being written is on the disk, never when it is not; at once if nothing is. */
  readonly afterCommit: (then: Then) => void
  /** Commits the writes that wait: before the database is closed. */
  readonly flush: () => void
}

type Then = () => void

interface Job {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
}

/** So many writes wait for no more: a sync of the disk is by then a small part of what each costs. */
const ENOUGH = 64

/** Makes the transactions of a database: all that is written into it goes through them. */
export function transactionsOf(database: Database): Transactions {
  /** What is to be done after the transaction that is open; undefined when none is. */
  let after: Then[] | undefined
  let queue: Job[] = []

  function transaction<Result>(work: () => Result): Result {
    if (after !== undefined) return work()
    const done = committed(() => gathered(work))
    for (const then of done.after) then()
    return done.result
  }

  /**
   * A sync of the disk costs far more than a write, so as long as each turn of the event loop brings another write, the
   * commit waits for the next. A turn that brings none takes microseconds: who is alone hardly waits, without a timer.
   */
  function gather(before: number): void {
    if (queue.length > before && queue.length < ENOUGH) setImmediate(gather, queue.length)
    else flush()
  }

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

  /** Does one write of several. @returns how it ends, once all of them are on the disk: a refusal too may rest on them */
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
      // On a full disk SQLite has undone the whole transaction by itself; the others must not go on without it.
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
      // Fails when SQLite has rolled back by itself; the first error is the one to tell of.
      tried(database, 'ROLLBACK')
      throw error
    }
  }

  return {
    transaction,
    write: (work) =>
      new Promise((resolve, reject) => {
        if (queue.push({ work, resolve, reject }) === 1) setImmediate(gather, 0)
      }),
    afterCommit: (then) => {
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
