import { statSync } from 'node:fs'
import { InboxError } from '../../inbox.ts'
import { type Database, realPath } from './driver.ts'
import { resultCode, SQLITE } from './errors.ts'
import { logIsOurs } from './files.ts'
import { type LogSync, openLogSync } from './log-sync.ts'
import { BEGIN, isLocked, MAY_WAIT, withoutWaiting } from './waiting.ts'

/**
 * How many pages of 4 KiB the log may reach before commits checkpoint it, if no thread does. With SQLite's default of 1000 a
 * busy receiver writes the same index pages again and again.
 */
export const LIMIT_PAGES = 20_000

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
  // Its own checkpoints during a commit ignore errors of the disk, which the system reports once.
  database.exec('PRAGMA wal_autocheckpoint = 0')
  database.exec(`PRAGMA journal_size_limit = ${LONGEST_BYTES}`)
  logSyncs.set(database, openLogSync(pathOf(database)))
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
  // A log that is not on disk must not get into the file: after a power failure the file would contain half a commit.
  if (!logIsOurs(database) || isUncertain(database)) return false
  const complete = checkpointHere(database)
  // Not at once, because this locks the file against other writers.
  return complete && isTooLong(database) ? checkpointIn('TRUNCATE', database) : complete
}

/**
 * Checkpoints the log into the file without waiting for readers or writers.
 * @returns whether all of it is in the file, which is then synced
 * @throws Error of SQLite if that fails.
 */
export const checkpointHere = (database: Database): boolean => checkpointIn('PASSIVE', database)

/** Whether a long read has prevented the reuse of the log. */
export const isTooLong = (database: Database): boolean =>
  logSize(database) > database.prepare('PRAGMA journal_size_limit').get().journal_size_limit

const logSize = (database: Database): number =>
  statSync(pathOf(database), { throwIfNoEntry: false })?.size ?? 0

/**
 * Syncs commits that were made without a disk sync, without blocking the process.
 * @throws Error of the file system; a power failure may then lose commits since the last sync. The log is then uncertain.
 */
export const syncLog = (database: Database): Promise<void> => logSyncOf(database).sync()

/** The length of the log in frames, which are pages. @throws Error of the file system. */
export const logLength = (database: Database): number => logSyncOf(database).length()

/** Whether the log has at least some number of frames; it takes a few microseconds. @throws Error of the file system. */
export const isLogLong = (database: Database, frames: number): boolean =>
  logSyncOf(database).hasFrames(frames)

/** Whether the log may contain commits that can be read but are not on disk. `saveLog` makes it certain again. */
export const isUncertain = (database: Database): boolean => logSyncOf(database).failure !== undefined

/** A commit or a checkpoint failed. If the disk did, commits of other processes may not be on disk either. */
export function commitFailed(database: Database, error: unknown): void {
  if (resultCode(error) === SQLITE.ioError) logSyncOf(database).fail(error)
}

/**
 * Makes an uncertain log certain: writes all of it to disk again, because the kernel has given up the commits whose sync
 * failed, and moves it into the file, so that later commits do not depend on it. What is in the file already is written there
 * again first: SQLite syncs the file only once all of the log is in it, does not repeat what it copied before a sync that
 * failed, and lets any process start the log again after a sync that succeeded.
 * @returns an error with the reason if another process prevents it for now
 * @throws Error of SQLite or the file system if the disk still fails.
 */
export function saveLog(database: Database): Error | undefined {
  const path = realPath(database)
  const logSync = logSyncOf(database)
  const notWritten = whileLocked(database, () => {
    logSync.rewrite()
    logSync.copyTo(path)
  })
  if (notWritten !== undefined) return notWritten
  if (!checkpointIn('TRUNCATE', database))
    return new InboxError(`inbox ${path}: the log cannot be saved while another program is reading it.`)
  logSync.saved()
  return undefined
}

/** Does some work while no other process can write. @returns an error with the reason if another one is writing */
function whileLocked(database: Database, work: () => void): Error | undefined {
  try {
    database.exec(BEGIN)
  } catch (error) {
    database.exec(MAY_WAIT)
    if (isLocked(error)) return error as Error
    throw error
  }
  try {
    work()
  } finally {
    database.exec('ROLLBACK')
  }
  return undefined
}

/**
 * Moves the entire log into the file, unless another process uses the log or it was replaced by another one.
 * @throws Error of SQLite if that fails.
 */
export function emptyLog(database: Database): void {
  const { failure } = logSyncOf(database)
  if (failure !== undefined) throw failure
  if (logIsOurs(database)) checkpointIn('TRUNCATE', database)
}

/** @returns whether the entire log was checkpointed */
function checkpointIn(mode: 'PASSIVE' | 'TRUNCATE', database: Database): boolean {
  try {
    const row = withoutWaiting(database, () => database.prepare(`PRAGMA wal_checkpoint(${mode})`).get())
    return row.busy === 0 && row.log === row.checkpointed
  } catch (error) {
    commitFailed(database, error)
    throw error
  }
}

function logSyncOf(database: Database): LogSync {
  const logSync = logSyncs.get(database)
  if (logSync === undefined) throw new TypeError('the database was not opened with openDatabase')
  return logSync
}

const pathOf = (database: Database): string => `${realPath(database)}-wal`
