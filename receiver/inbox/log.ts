import { statSync } from 'node:fs'
import { type Database, realPath } from './driver.ts'
import { logIsOurs } from './files.ts'
import { type LogSync, openLogSync } from './log-sync.ts'
import { resultCode, SQLITE } from './sqlite-error.ts'
import { withoutWaiting } from './waiting.ts'

/**
 * How many pages of 4 KiB the log may reach before a commit checkpoints it. With SQLite's default of 1000 a busy receiver
 * writes the same index pages again and again.
 */
const LIMIT_PAGES = 20_000

/**
 * A log that a long read has made longer is truncated: by SQLite when a commit starts to reuse it, or here when there are no
 * commits. It is somewhat more than the limit, so that the usual log is reused as it is.
 */
const LONGEST_BYTES = 1.25 * LIMIT_PAGES * 4096

const logSyncs = new WeakMap<Database, LogSync>()

/**
 * Prepares the log of a database that was just opened and is in WAL mode.
 * @throws Error of the file system if the log cannot be opened.
 */
export function openLog(database: Database): void {
  database.exec(`PRAGMA wal_autocheckpoint = ${LIMIT_PAGES}; PRAGMA journal_size_limit = ${LONGEST_BYTES}`)
  logSyncs.set(database, openLogSync(pathOf(database)))
  try {
    // A sync of an earlier process may have failed, which the kernel does not report to a descriptor that is opened later.
    checkpoint(database)
    saveLog(database)
  } catch (error) {
    commitFailed(database, error)
  }
}

/** Closes the descriptor of the log; SQLite's own stays open. */
export const closeLog = (database: Database): void => logSyncs.get(database)?.close()

/**
 * Checkpoints the log into the file without waiting for readers or writers, and truncates it if it is far too long, unless
 * the log was replaced by another one. This completes a file that was moved, and saves a log that was deleted.
 * @returns whether the entire log was checkpointed
 * @throws Error of SQLite if the checkpoint fails.
 */
export function checkpoint(database: Database): boolean {
  if (!logIsOurs(database)) return false
  const complete = checkpointIn('PASSIVE', database)
  // Not at once, because this locks the file against other writers.
  return complete && isTooLong(database) ? checkpointIn('TRUNCATE', database) : complete
}

/** Whether a long read has prevented the reuse of the log. */
export function isTooLong(database: Database): boolean {
  const log = statSync(pathOf(database), { throwIfNoEntry: false })
  return (
    log !== undefined && log.size > database.prepare('PRAGMA journal_size_limit').get().journal_size_limit
  )
}

/**
 * Syncs commits that were made without a disk sync, without blocking the process.
 * @throws Error of the file system; a power failure may then lose commits since the last sync. The log is then uncertain.
 */
export const syncLog = (database: Database): Promise<void> => logSyncOf(database).sync()

/** Whether the log may contain commits that can be read but are not on disk. `saveLog` makes it certain again. */
export const isUncertain = (database: Database): boolean => logSyncOf(database).failure !== undefined

/** A commit failed. If the disk did, commits of other processes may not be on disk either. */
export function commitFailed(database: Database, error: unknown): void {
  if (resultCode(error) === SQLITE.ioError) logSyncOf(database).fail(error)
}

/**
 * Checkpoints the entire log into the file, syncs the file and empties the log, so that commits whose sync failed are on
 * disk, and those after them do not depend on them.
 * @returns false if another process is using the log
 * @throws Error of SQLite if the checkpoint fails.
 */
export function saveLog(database: Database): boolean {
  const saved = checkpointIn('TRUNCATE', database)
  if (saved) logSyncs.get(database)?.saved()
  return saved
}

/**
 * Moves the entire log into the file, unless another process uses the log or it was replaced by another one.
 * @throws Error of SQLite if that fails.
 */
export function emptyLog(database: Database): void {
  if (logIsOurs(database)) saveLog(database)
}

function checkpointIn(mode: 'PASSIVE' | 'TRUNCATE', database: Database): boolean {
  const row = withoutWaiting(database, () => database.prepare(`PRAGMA wal_checkpoint(${mode})`).get())
  return row.busy === 0 && row.log === row.checkpointed
}

function logSyncOf(database: Database): LogSync {
  const logSync = logSyncs.get(database)
  if (logSync === undefined) throw new TypeError('the database was not opened with openDatabase')
  return logSync
}

const pathOf = (database: Database): string => `${realPath(database)}-wal`
