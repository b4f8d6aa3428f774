import { type Database, requireInPlace, saveLog, syncLog } from './database.ts'

/** Groups a write with others that arrive at the same time; resolves when it is on disk. */
export type Write = <Result>(work: () => Result) => Promise<Result>

interface Job {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
}

const writers = new WeakMap<Database, Write>()

/**
 * Runs several statements inside a write as one unit: if the work throws, its changes are undone, and those of the other
 * writes in the transaction stay.
 */
export function allOrNothing<Result>(database: Database, work: () => Result): Result {
  database.exec('SAVEPOINT work')
  try {
    const result = work()
    database.exec('RELEASE work')
    return result
  } catch (error) {
    // This fails if the disk is full and SQLite has rolled back everything; the commit then fails and reports why.
    tryExec(database, 'ROLLBACK TO work; RELEASE work')
    throw error
  }
}

/**
 * The writer of a database. Writes that arrive together share one transaction and one disk sync, which costs far more
 * than the writes. A single write is committed and synced at the end of its turn of the event loop. Several writes are
 * committed and then synced in the background: meanwhile the process verifies the next deliveries, whose writes form the
 * next transaction. No timer is needed, and the slower the disk, the more writes share a sync.
 *
 * A write resolves when it is on disk. A write that fails does not affect the others. If the commit or the sync fails, or
 * the files of the database were moved, all writes of the transaction are rejected. SPEC.md 6.
 */
export function writerOf(database: Database): Write {
  const known = writers.get(database)
  if (known !== undefined) return known

  let queue: Job[] = []
  let syncing = false
  /** A sync failed or is still running: committed writes can be read but may not be on disk. */
  let logUncertain = false

  /** @param idle whether no sync was running */
  function commitQueue(idle: boolean): void {
    const jobs = queue
    queue = []
    void (idle && jobs.length === 1 ? commitNow(jobs) : commitInBackground(jobs))
  }

  function commitNow(jobs: readonly Job[]): void {
    let settled: Settle[]
    try {
      settled = transact(jobs, { synced: true })
    } catch (error) {
      rejectAll(jobs, error)
      return
    }
    for (const settle of settled) settle()
  }

  async function commitInBackground(jobs: readonly Job[]): Promise<void> {
    syncing = true
    try {
      const settled = transact(jobs, { synced: false })
      logUncertain = true
      await syncLog(database)
      logUncertain = false
      for (const settle of settled) settle()
    } catch (error) {
      rejectAll(jobs, error)
    } finally {
      if (queue.length > 0) setImmediate(commitQueue, false)
      else syncing = false
    }
  }

  /**
   * @param options `synced`: whether the commit waits for the disk
   * @returns functions that settle each write, to be called when it is on disk: even a rejection may depend on other writes
   */
  function transact(jobs: readonly Job[], { synced }: { synced: boolean }): Settle[] {
    // Checked before the transaction: a file moved later takes with it what was just acknowledged. And if another database
    // was put in its place, that one may be using the log, which must not be touched.
    requireInPlace(database)
    if (logUncertain) saveLog(database)
    logUncertain = false
    try {
      if (!synced) database.exec('PRAGMA synchronous = NORMAL')
      database.exec('BEGIN IMMEDIATE')
      const settled = jobs.map(runJob)
      database.exec('COMMIT')
      return settled
    } catch (error) {
      // SQLite may have rolled back already, for example when the disk is full.
      tryExec(database, 'ROLLBACK')
      throw error
    } finally {
      // Statements outside this writer must be on disk when they return.
      if (!synced) database.exec('PRAGMA synchronous = FULL')
    }
  }

  const write: Write = (work) =>
    new Promise((resolve, reject) => {
      if (queue.push({ work, resolve, reject }) === 1 && !syncing) setImmediate(commitQueue, true)
    })
  writers.set(database, write)
  return write
}

type Settle = () => void

function runJob({ work, resolve, reject }: Job): Settle {
  try {
    const result = work() as never
    return () => resolve(result)
  } catch (error) {
    return () => reject(error)
  }
}

function rejectAll(jobs: readonly Job[], error: unknown): void {
  for (const { reject } of jobs) reject(error)
}

function tryExec(database: Database, sql: string): void {
  try {
    database.exec(sql)
  } catch {
    // The caller reports the original error.
  }
}
