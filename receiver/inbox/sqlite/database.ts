import { setTimeout as pause } from 'node:timers/promises'
import { InboxError } from '../../inbox.ts'
import { type Database, loadDriver } from './driver.ts'
import { isLocked, storeError } from './errors.ts'
import { createPrivate, requireNoLogAlone } from './files.ts'
import { migrate, needsMigration, requireKnownVersion, requireOwnFile, writeNothing } from './schema.ts'

export interface OpenOptions {
  /** How long each step may wait while another process locks the file, in milliseconds. */
  lockTimeoutMs?: number
}

/** A log that a long read has made longer is truncated: it is somewhat more than a busy receiver needs, so that it is reused. */
const LOG_LIMIT_BYTES = 100 * 1024 * 1024

/** The thread copies the log into the file: SQLite's own checkpoints during a commit ignore errors of the disk. */
export const LOG_SETTINGS = `PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`

/**
 * Opens the file and creates the tables if it is new. A commit is on disk when it returns. Only the user of the process can
 * read a file that this creates.
 * @throws InboxError if the file cannot be used; it is then left unchanged.
 */
export async function openDatabase(path: string, options: OpenOptions = {}): Promise<Database> {
  const { lockTimeoutMs = LOCK_TIMEOUT_MS } = options
  const { DatabaseSync } = await loadDriver()

  let database: Database | undefined
  try {
    requireNoLogAlone(path)
    createPrivate(path)
    database = new DatabaseSync(path)
    await prepare(database, path, (work) => retryWhileLocked(work, lockTimeoutMs))
    return database
  } catch (error) {
    database?.close()
    throw storeError(error, path)
  }
}

type WhenUnlocked = <Result>(work: () => Result) => Promise<Result>

async function prepare(database: Database, path: string, whenUnlocked: WhenUnlocked): Promise<void> {
  const begin = () => whenUnlocked(() => database.exec('BEGIN IMMEDIATE'))
  database.exec(MAY_NOT_WAIT)
  await whenUnlocked(() => {
    // Before the first write, so that a file of a newer version stays unchanged.
    requireKnownVersion(database, path)
    requireOwnFile(database, path)
  })
  const { journal_mode: mode } = await whenUnlocked(() => database.prepare('PRAGMA journal_mode = WAL').get())
  if (mode !== 'wal')
    throw new InboxError(`inbox ${path}: WAL mode is not available. Choose a file on a local disk.`)
  database.exec('PRAGMA synchronous = FULL')
  if (needsMigration(database)) {
    await begin()
    migrate(database, path)
    database.exec('COMMIT')
  }
  // Fails now, not at the first delivery, if the file belongs to another program.
  database.prepare('SELECT inbox.key, ledger.effect FROM inbox, ledger')
  // SQLite opens a read-only file for reading and keeps it so after the permissions are fixed: better not to start.
  await begin()
  writeNothing(database)
  database.exec('COMMIT')
  // After a failure of the disk the log may be in memory only: what is copied from it is written again.
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  database.exec(`${LOG_SETTINGS}; ${MAY_WAIT}`)
}

/** How long a write waits for another process, in milliseconds. */
export const LOCK_TIMEOUT_MS = 1000

/** SQLite waits for other connections by blocking the event loop. Only statements outside the inbox may do so. */
export const MAY_WAIT = 'PRAGMA busy_timeout = 1000'

/** A statement that would wait for another connection fails from now on. */
export const MAY_NOT_WAIT = 'PRAGMA busy_timeout = 0'

/** Retries some work while another process locks the file, without blocking the event loop. */
export async function retryWhileLocked<Result>(work: () => Result, timeoutMs: number): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error
    }
    await pause(5)
  }
}
