import { type Database, requireInPlace, saveLog, syncLog } from './database.ts'

/** Does a write together with others that arrive with it; resolves when they are on the disk. */
export type Write = <Result>(work: () => Result) => Promise<Result>

interface Job {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
}

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
 * more than the writes. A write that is alone at the end of its turn of the event loop is committed there and then.
 * Several are committed, and their sync is waited for aside: the process reads and checks the next ones meanwhile, and
 * these make up the next transaction. So no timer is needed, and the slower the disk, the more share a sync.
 *
 * A write resolves when it is on the disk. One that fails fails alone; a commit or a sync that fails fails them all, and
 * so does one of files that were moved away. SPEC.md 6.
 */
export function writerOf(database: Database): Write {
  const known = writers.get(database)
  if (known !== undefined) return known

  let queue: Job[] = []
  let syncing = false
  /** A sync has failed: what was committed before it may not be on the disk, though it can be read. */
  let doubtful = false

  /** @param idle whether the disk had nothing to do */
  function commitQueue(idle: boolean): void {
    const jobs = queue
    queue = []
    void (idle && jobs.length === 1 ? commitAtOnce(jobs) : commitAside(jobs))
  }

  function commitAtOnce(jobs: readonly Job[]): void {
    let settled: Settle[]
    try {
      settled = transact(jobs, { synced: true })
    } catch (error) {
      refuse(jobs, error)
      return
    }
    for (const settle of settled) settle()
  }

  async function commitAside(jobs: readonly Job[]): Promise<void> {
    syncing = true
    try {
      const settled = transact(jobs, { synced: false })
      doubtful = true
      await syncLog(database)
      doubtful = false
      for (const settle of settled) settle()
    } catch (error) {
      refuse(jobs, error)
    } finally {
      if (queue.length > 0) setImmediate(commitQueue, false)
      else syncing = false
    }
  }

  /**
   * @param options `synced`: whether all is on the disk when this returns
   * @returns how each of them ends, once it is: a refusal too may rest on what another has written
   */
  function transact(jobs: readonly Job[], { synced }: { synced: boolean }): Settle[] {
    // Before and not after: who moves the file just then moves what was acknowledged just before, too. And a database that
    // was put in its place may be using the log, which is not to be disturbed.
    requireInPlace(database)
    if (doubtful) saveLog(database)
    doubtful = false
    try {
      if (!synced) database.exec('PRAGMA synchronous = NORMAL')
      database.exec('BEGIN IMMEDIATE')
      const settled = jobs.map(carryOut)
      database.exec('COMMIT')
      return settled
    } catch (error) {
      // A full disk, for one, has rolled it back already.
      attempt(database, 'ROLLBACK')
      throw error
    } finally {
      // Whoever writes beside this writer has it on the disk when it returns.
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

function carryOut({ work, resolve, reject }: Job): Settle {
  try {
    const result = work() as never
    return () => resolve(result)
  } catch (error) {
    return () => reject(error)
  }
}

function refuse(jobs: readonly Job[], error: unknown): void {
  for (const { reject } of jobs) reject(error)
}

function attempt(database: Database, sql: string): void {
  try {
    database.exec(sql)
  } catch {
    // The error that led here is the one to be told.
  }
}
