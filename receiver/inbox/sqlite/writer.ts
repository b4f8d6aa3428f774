import { setImmediate as nextTurn } from 'node:timers/promises'
import { InboxError } from '../../inbox.ts'
import { LOG_SETTINGS, MAY_NOT_WAIT, MAY_WAIT } from './database.ts'
import type { Database } from './driver.ts'
import { isDiskFailure, isLocked } from './errors.ts'
import type { Files } from './files.ts'
import { startThread } from './thread.ts'

/** Writes to the file of an inbox. */
export interface Writer {
  /**
   * Runs work in a transaction of the database; resolves to its result when that is on disk. If it throws, its changes are undone.
   * @param bytes the size of what it writes, if that may be large
   */
  readonly write: <Result>(work: () => Result, bytes?: number) => Promise<Result>
  /**
   * Finishes the writes that wait, moves the log into the file and closes the database, so that a copy of that file is a
   * complete backup. Another process that has the file open checkpoints the rest. After a failed sync nothing is closed, and
   * the process keeps running until it is killed.
   * @throws Error of SQLite; InboxError after a failed sync.
   */
  readonly close: () => Promise<void>
}

interface WriterOptions {
  readonly database: Database
  /** The path of the file as the operator gave it. */
  readonly path: string
  readonly files: Files
  /** How long a write may wait while another process holds the write lock, in milliseconds. */
  readonly lockTimeoutMs: number
}

interface Job {
  readonly work: () => unknown
  readonly bytes: number
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
  /** Settles a job that is committed but may not be on disk. */
  settle?: () => void
  /** When it first had to wait for another process, in milliseconds of `performance.now`. */
  lockedSince?: number
}

/** Limits of one transaction. */
const MOST_JOBS = 1000
const MOST_BYTES = 8 * 1024 * 1024

/** Limits of what waits for the disk. */
const MOST_WAITING = 10_000
const MOST_WAITING_BYTES = 64 * 1024 * 1024

/** How long to wait until the next try to get the write lock, in milliseconds. */
const LOCK_PAUSE_MS = 2

/** About how long the log may become until it is copied into the file, in pages. The longer, the fewer pages are copied twice. */
const LOG_PAGES = 16_000
const PAGE_BYTES = 4096
/** About how many pages a transaction, and each row that it changes, adds to the log. */
const PAGES_EACH = 2

/** How long writes wait until SQLite has copied the rest of a long log and syncs the file, in milliseconds. */
const SYNC_PAUSE_MS = 10

/** After how long without a write the log is copied into the file, in milliseconds. */
const QUIET_MS = 1000

/** A commit that is not synced waits for no disk. */
const BEGIN = `${MAY_NOT_WAIT}; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE`

/** Statements outside the writer must be on disk when they return, and may wait for the thread. */
const OUTSIDE = `PRAGMA synchronous = FULL; ${MAY_WAIT}`

/**
 * Starts the writer of a database, with two threads. Jobs that arrive in one turn of the event loop, or during the previous
 * sync, share one transaction. It is committed here, which waits for no disk, and then synced by a thread: the slower the disk,
 * the more jobs share a sync, which costs far more than they do. The two take turns, so that neither waits for the other's
 * lock. Another thread copies a long log into the file meanwhile.
 *
 * A job that fails does not affect the others. If the commit or the sync fails, or the files were moved, all jobs of the
 * transaction are rejected. After a failed sync, or if the thread ends, every job is rejected until the inbox is opened
 * again: the system reports a failed write once, and a later sync succeeds although the data is lost. While another process
 * holds the write lock, jobs wait without blocking the event loop. SPEC.md 6.
 * @throws InboxError if the thread does not start.
 */
export async function startWriter({ database, path, files, lockTimeoutMs }: WriterOptions): Promise<Writer> {
  const settings = `${MAY_NOT_WAIT}; PRAGMA synchronous = FULL; ${LOG_SETTINGS}; SELECT count(*) FROM sqlite_schema`
  const [thread, copier] = await Promise.all([startThread(path, settings), startThread(path, settings)])
  const changes = database.prepare('SELECT total_changes() AS count')
  const countChanges = (): number => changes.get().count
  let queue: Job[] = []
  let waitingBytes = 0
  let running: Promise<void> | undefined
  let failure: InboxError | undefined
  let closed = false
  /** About how many pages the log has. */
  let pages = 0
  /** Copies more of a long log between two transactions. */
  let nextStep: (() => Promise<unknown>) | undefined
  let copying = Promise.resolve()

  for (const { ended } of [thread, copier]) {
    void ended.then((reason) => fail(`one of its threads ended: ${reason.message}`))
  }

  function fail(reason: string): void {
    failure ??= new InboxError(
      `inbox ${path}: ${reason}. Nothing is stored until the receiver is restarted. Check the disk, stop every program that uses the file, then start again.`,
    )
  }

  function noteFailure(error: unknown): void {
    if (isDiskFailure(error)) fail(`the disk failed (${(error as Error).message})`)
  }

  function run(work: () => Promise<void>): void {
    running = work().finally(() => {
      running = undefined
      if (queue.length > 0) run(writeQueue)
    })
  }

  async function writeQueue(): Promise<void> {
    await nextTurn()
    while (queue.length > 0) {
      await writeBatch(takeBatch())
      if (pages >= LOG_PAGES) await copyLongLog()
      const step = nextStep
      nextStep = undefined
      await step?.()
    }
  }

  function takeBatch(): Job[] {
    let bytes = 0
    const end = queue.findIndex((job, at) => {
      bytes += job.bytes
      return at > 0 && (at === MOST_JOBS || bytes > MOST_BYTES)
    })
    return queue.splice(0, end === -1 ? queue.length : end)
  }

  async function writeBatch(jobs: readonly Job[]): Promise<void> {
    try {
      if (failure !== undefined) throw failure
      // Checked before the transaction: a file moved later takes with it what was just acknowledged.
      files.requireInPlace()
      commit(jobs.filter(({ settle }) => settle === undefined))
      await thread.ask('sync')
    } catch (error) {
      if (isLocked(error)) return waitForLock(jobs, error)
      noteFailure(error)
      for (const job of jobs) finish(job, () => job.reject(failure ?? error))
      return
    }
    // Only now: even a rejection may depend on other jobs.
    for (const job of jobs) finish(job, job.settle)
  }

  function finish({ bytes }: Job, settle: (() => void) | undefined): void {
    waitingBytes -= bytes
    settle?.()
  }

  function commit(jobs: readonly Job[]): void {
    if (jobs.length === 0) return
    const before = countChanges()
    try {
      database.exec(BEGIN)
      const settled = jobs.map(runJob)
      database.exec('COMMIT')
      for (const [at, job] of jobs.entries()) Object.assign(job, { settle: settled[at] })
    } catch (error) {
      // SQLite may have rolled back already, for example when the disk is full.
      tryExec(database, 'ROLLBACK')
      throw error
    } finally {
      database.exec(OUTSIDE)
    }
    const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0)
    pages += PAGES_EACH * (1 + countChanges() - before) + bytes / PAGE_BYTES
  }

  async function waitForLock(jobs: readonly Job[], locked: unknown): Promise<void> {
    const now = performance.now()
    const isLate = ({ lockedSince = now }: Job): boolean => now - lockedSince >= lockTimeoutMs
    for (const job of jobs) {
      job.lockedSince ??= now
      if (isLate(job)) finish(job, () => job.reject(locked))
    }
    queue = [...jobs.filter((job) => !isLate(job)), ...queue]
    await pause(LOCK_PAUSE_MS)
  }

  /** Copies the log into the file, and truncates it if a long read has made it far too long. */
  async function copyLog(): Promise<void> {
    pages = 0
    const isComplete = await copier.ask('copy')
    // Not at once, because this locks the file against other writers.
    if (isComplete && files.logBytes() > logLimit(database)) await thread.ask('truncate')
    if (isComplete) copied = countChanges()
  }

  /**
   * SQLite starts the log again from its beginning only when all of it is in the file. So most of it is copied during further
   * writes. Then they wait while SQLite copies the rest and starts to sync the file, and again, when that is done, for what was
   * committed meanwhile, which is little.
   */
  async function copyLongLog(): Promise<void> {
    // The disk is too slow for both.
    await copying
    pages = 0
    copying = copyDuringWrites(() => {
      nextStep = () => {
        copying = copyDuringWrites(() => {
          nextStep = () => copyLog().catch(noteFailure)
        })
        return Promise.race([copying, pause(SYNC_PAUSE_MS)])
      }
    })
  }

  const copyDuringWrites = (andThen: () => void): Promise<void> =>
    copier.ask('copy').then(andThen, noteFailure)

  let before = countChanges()
  let copied = before

  /** Keeps the log short in case the process dies. As long as other processes read the log, it tries again. */
  function copyLogIfQuiet(): void {
    const now = countChanges()
    const isQuiet = now === before && running === undefined
    before = now
    if (!isQuiet || failure !== undefined || !files.logIsOurs()) return
    if (now !== copied || files.logBytes() > logLimit(database)) run(() => copyLog().catch(noteFailure))
  }

  const timer = setInterval(copyLogIfQuiet, QUIET_MS).unref()

  const write: Writer['write'] = (work, bytes = 0) =>
    new Promise((resolve, reject) => {
      if (closed) throw new InboxError(`inbox ${path}: the inbox is closed.`)
      const isFull = waitingBytes > 0 && waitingBytes + bytes > MOST_WAITING_BYTES
      if (isFull || queue.length >= MOST_WAITING) {
        throw new InboxError(`inbox ${path}: too many writes wait for the disk. Check the disk.`)
      }
      waitingBytes += bytes
      queue.push({ work, bytes, resolve, reject })
      if (running === undefined) run(writeQueue)
    })

  return {
    write,
    async close() {
      clearInterval(timer)
      // It is written last; if that fails, the callers of the others get the error.
      const last = write(() => undefined)
      closed = true
      await last.catch(() => {})
      if (failure !== undefined) {
        // SQLite would now rely on what it has copied from the log, which the disk may have lost. After SIGKILL it copies all of
        // the log again.
        thread.keepRunning()
        throw failure
      }
      try {
        if (files.logIsOurs()) await thread.ask('truncate')
      } finally {
        await copying
        for (const { close } of [copier, thread]) await close()
        database.close()
      }
    },
  }

  function runJob({ work, resolve, reject }: Job): () => void {
    try {
      const result = work() as never
      return () => resolve(result)
    } catch (error) {
      return () => reject(error)
    }
  }
}

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

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

function tryExec(database: Database, sql: string): void {
  try {
    database.exec(sql)
  } catch {
    // The caller reports the original error.
  }
}

const logLimit = (database: Database): number =>
  database.prepare('PRAGMA journal_size_limit').get().journal_size_limit
