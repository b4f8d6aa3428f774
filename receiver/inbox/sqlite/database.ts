import { InboxError } from '../../inbox.ts'
import { type Database, loadDriver } from './driver.ts'
import { storeError } from './errors.ts'
import { trackFiles } from './files.ts'
import { closeLog, emptyLog, openLog } from './log.ts'
import { createPrivate } from './private-files.ts'
import { migrate, needsMigration, requireKnownVersion, requireOwnFile, writeNothing } from './schema.ts'
import { LOCK_TIMEOUT_MS, MAY_NOT_WAIT, MAY_WAIT, retryWhileLocked } from './waiting.ts'

export interface OpenOptions {
  /** How long each step may wait while another process locks the file, in milliseconds. */
  lockTimeoutMs?: number
}

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
    createPrivate(path)
    database = new DatabaseSync(path)
    await prepare(database, path, (work) => retryWhileLocked(work, lockTimeoutMs))
    return database
  } catch (error) {
    if (database !== undefined) closeLog(database)
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
  trackFiles(database, path)
  openLog(database)
  database.exec(MAY_WAIT)
}

/**
 * Closes the database with all its data in one file, so that a copy of that file is a complete backup. Another process that
 * has the file open checkpoints the rest.
 * @throws Error of SQLite if that fails; the data is then in the log.
 */
export function closeDatabase(database: Database): void {
  try {
    emptyLog(database)
  } finally {
    closeLog(database)
    database.close()
  }
}
