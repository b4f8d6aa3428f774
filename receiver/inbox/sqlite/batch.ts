import type { Checkpointer } from './checkpointer.ts'
import type { Database } from './driver.ts'
import { requireInPlace } from './files.ts'
import { commitFailed, isUncertain, saveLog, syncLog } from './log.ts'
import { BEGIN, isLocked, LOCK_TIMEOUT_MS, MAY_WAIT } from './waiting.ts'

/** Groups a write with others that arrive at the same time; resolves when it is on disk. */
export type Write = <Result>(work: () => Result) => Promise<Result>

interface Job {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
  /** When it first could not begin because of another process, in milliseconds of `performance.now`. */
  lockedSince: number | undefined
}

interface WriterOptions {
  /** How long a write may wait while another process holds the write lock, in milliseconds. */
  readonly lockTimeoutMs?: number
  /** Checkpoints the log in another thread. */
  readonly checkpointer?: Checkpointer
}

/** How long to wait until the next try to get the write lock, in milliseconds: longer and longer, up to the last. */
const PAUSES_MS = [1, 1, 2, 3, 5]

/** How long after such a wait every sync is made in the background, without the lock, in milliseconds. */
const SHARING_MS = 1000

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
 * next transaction. No timer is needed, and the slower the disk, the more writes share a sync. While another process writes to
 * the file, single writes are synced in the background too, so that no process holds the lock during a sync.
 *
 * A write resolves when it is on disk. A write that fails does not affect the others. If the commit or the sync fails, or
 * the files of the database were moved, all writes of the transaction are rejected. While another process holds the write
 * lock, writes wait without blocking the event loop, for up to `lockTimeoutMs` milliseconds each. SPEC.md 6.
 */
export function writerOf(
  database: Database,
  { lockTimeoutMs = LOCK_TIMEOUT_MS, checkpointer }: WriterOptions = {},
): Write {
  const known = writers.get(database)
  if (known !== undefined) return known

  let queue: Job[] = []
  /** The queue is committed after what is running: a sync, or a pause because of another process. */
  let busy = false
  /** When another process last had the write lock, in milliseconds of `performance.now`. */
  let sharedAt = Number.NEGATIVE_INFINITY

  function takeQueue(): Job[] {
    const jobs = queue
    queue = []
    return jobs
  }

  /**
   * @param idle whether no sync was running
   * @param tries how often another process has prevented it
   */
  function commitQueue(idle: boolean, tries = 0): void {
    const pause = checkpointer?.pause
    if (pause !== undefined) {
      busy = true
      void pause.then(() => commitQueue(false, tries))
      return
    }
    const synced = idle && queue.length === 1 && performance.now() - sharedAt > SHARING_MS
    try {
      const locked = begin(database, { synced })
      if (locked !== undefined) {
        waitForLock(locked, idle, tries)
        return
      }
    } catch (error) {
      busy = false
      rejectAll(takeQueue(), error)
      return
    }
    if (synced) commitNow(takeQueue())
    else void commitInBackground(takeQueue())
  }

  function waitForLock(locked: Error, idle: boolean, tries: number): void {
    const now = performance.now()
    sharedAt = now
    for (const job of queue) job.lockedSince ??= now
    const isLate = ({ lockedSince = now }: Job) => now - lockedSince >= lockTimeoutMs
    rejectAll(queue.filter(isLate), locked)
    queue = queue.filter((job) => !isLate(job))
    busy = queue.length > 0
    if (busy) setTimeout(commitQueue, PAUSES_MS[tries] ?? PAUSES_MS.at(-1), idle, tries + 1)
  }

  function commitNow(jobs: readonly Job[]): void {
    busy = false
    let settled: Settle[]
    try {
      settled = commit(jobs, { synced: true })
    } catch (error) {
      rejectAll(jobs, error)
      return
    }
    for (const settle of settled) settle()
  }

  async function commitInBackground(jobs: readonly Job[]): Promise<void> {
    busy = true
    try {
      const settled = commit(jobs, { synced: false })
      await syncLog(database)
      for (const settle of settled) settle()
    } catch (error) {
      rejectAll(jobs, error)
    } finally {
      if (queue.length > 0) setImmediate(commitQueue, false)
      else busy = false
    }
  }

  /**
   * Runs the writes in the transaction that has begun.
   * @returns functions that settle each write, to be called when it is on disk: even a rejection may depend on other writes
   */
  function commit(jobs: readonly Job[], { synced }: { synced: boolean }): Settle[] {
    try {
      const settled = jobs.map(runJob)
      database.exec('COMMIT')
      checkpointer?.committed()
      return settled
    } catch (error) {
      commitFailed(database, error)
      // SQLite may have rolled back already, for example when the disk is full.
      tryExec(database, 'ROLLBACK')
      throw error
    } finally {
      if (!synced) database.exec(SYNCED)
    }
  }

  const write: Write = (work) =>
    new Promise((resolve, reject) => {
      if (queue.push({ work, resolve, reject, lockedSince: undefined }) === 1 && !busy)
        setImmediate(commitQueue, true)
    })
  writers.set(database, write)
  return write
}

/** Statements outside the writer must be on disk when they return. */
const SYNCED = 'PRAGMA synchronous = FULL'

const BEGIN_NOT_SYNCED = `PRAGMA synchronous = NORMAL; ${BEGIN}`

/**
 * Begins a transaction without waiting for other processes.
 * @param options `synced`: whether the commit waits for the disk
 * @returns an error with the reason if another process prevents it for now
 * @throws Error of SQLite for any other reason; InboxError if the files of the database were moved.
 */
function begin(database: Database, { synced }: { synced: boolean }): Error | undefined {
  // Checked before the transaction: a file moved later takes with it what was just acknowledged. And if another database
  // was put in its place, that one may be using the log, which must not be touched.
  requireInPlace(database)
  const unsaved = isUncertain(database) ? saveLog(database) : undefined
  if (unsaved !== undefined) return unsaved
  try {
    database.exec(synced ? BEGIN : BEGIN_NOT_SYNCED)
    return undefined
  } catch (error) {
    database.exec(`${SYNCED}; ${MAY_WAIT}`)
    if (isLocked(error)) return error as Error
    throw error
  }
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
