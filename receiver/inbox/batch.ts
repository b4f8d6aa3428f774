import { type Database, requireInPlace } from './database.ts'

/** Does a write together with others that arrive with it; resolves when they are on the disk. */
export type Write = <Result>(work: () => Result) => Promise<Result>

interface Job {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
}

/** So many writes wait for no more: a sync of the disk is by then a small part of what each costs. */
const ENOUGH = 64

const writers = new WeakMap<Database, Write>()

/**
 * Does work of several statements inside a write, all of it or nothing: if it throws, what the write's neighbours in
 * the transaction did stays.
 */
export function allOrNothing<Result>(database: Database, work: () => Result): Result {
  database.exec('SAVEPOINT work')
  try {
    const result = work()
    database.exec('RELEASE work')
    return result
  } catch (error) {
    // Fails when the disk is full and SQLite has rolled back everything; the commit then fails and says why.
    attempt(database, 'ROLLBACK TO work; RELEASE work')
    throw error
  }
}

/**
 * The writer of a database: what arrives together shares one transaction, and so one sync of the disk, which costs far
 * more than the writes. Who is alone at the end of a turn of the event loop is committed at once. Of several the
 * commit waits for as long as each turn brings another: a turn that brings none takes microseconds, so no timer is
 * needed. A write that fails fails alone; a commit that fails fails them all, and so does one into files that were
 * moved away. SPEC.md 6.
 */
export function writerOf(database: Database): Write {
  const known = writers.get(database)
  if (known !== undefined) return known

  let queue: Job[] = []

  function gather(before: number): void {
    const alone = queue.length === 1
    if (!alone && queue.length > before && queue.length < ENOUGH) {
      setImmediate(gather, queue.length)
      return
    }
    const jobs = queue
    queue = []
    commit(database, jobs)
  }

  const write: Write = (work) =>
    new Promise((resolve, reject) => {
      if (queue.push({ work, resolve, reject }) === 1) setImmediate(gather, 0)
    })
  writers.set(database, write)
  return write
}

function commit(database: Database, jobs: readonly Job[]): void {
  const settled: (() => void)[] = []
  try {
    // Before too: a database that was put in the place of this one may be using its log, which is not to be disturbed.
    requireInPlace(database)
    database.exec('BEGIN IMMEDIATE')
    for (const { work, resolve, reject } of jobs) {
      try {
        const result = work() as never
        settled.push(() => resolve(result))
      } catch (error) {
        settled.push(() => reject(error))
      }
    }
    database.exec('COMMIT')
    requireInPlace(database)
  } catch (error) {
    // A full disk, for one, has rolled it back already.
    attempt(database, 'ROLLBACK')
    for (const { reject } of jobs) reject(error)
    return
  }
  for (const settle of settled) settle()
}

function attempt(database: Database, sql: string): void {
  try {
    database.exec(sql)
  } catch {
    // The error that led here is the one to be told.
  }
}
