import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { InboxError } from '../inbox.ts'
import { type Files, filesOf } from './files.ts'
import { type LogSync, openLog } from './log-sync.ts'

/** An open SQLite database: `DatabaseSync` of node:sqlite, or of its stand-in for Node versions that lack it. */
export type Database = DatabaseSyncInstance

/** What opens databases. */
export type Driver = typeof import('@photostructure/sqlite')

/** Each entry makes the next version of the schema out of the one before it; the first starts from an empty file. */
const MIGRATIONS = [
  `
  CREATE TABLE inbox (
    id          INTEGER PRIMARY KEY,
    key         TEXT    NOT NULL UNIQUE,
    payment_id  TEXT    NOT NULL,
    event       TEXT    NOT NULL,
    body        BLOB    NOT NULL,
    signed_at   INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    state       TEXT    NOT NULL DEFAULT 'pending',
    attempts    INTEGER NOT NULL DEFAULT 0,
    due_at      INTEGER NOT NULL DEFAULT 0,
    last_error  TEXT
  );
  CREATE INDEX inbox_open ON inbox (state, due_at) WHERE state <> 'done';
  CREATE TABLE ledger (
    id         INTEGER PRIMARY KEY,
    payment_id TEXT    NOT NULL,
    livemode   INTEGER NOT NULL,
    effect     TEXT    NOT NULL,
    event      TEXT    NOT NULL,
    amount     TEXT    NOT NULL,
    currency   TEXT    NOT NULL,
    UNIQUE (payment_id, livemode, effect)
  );
  `,
  // So that what is too old is found without a look at what is not.
  `CREATE INDEX inbox_done ON inbox (received_at) WHERE state = 'done'`,
]

const SCHEMA_VERSION = MIGRATIONS.length

const followed = new WeakMap<Database, Files>()

const logs = new WeakMap<Database, LogSync>()

/**
 * In pages of 4 KiB: how far the log may grow before a commit carries it over into the file. SQLite's own 1000 makes
 * a busy receiver write the same pages of its indexes again and again.
 */
const LOG_LIMIT_PAGES = 20_000

/**
 * Opens the file, and makes the tables in a new one. A commit is on the disk when it returns.
 * @throws InboxError if the file can not be used; it is then left as it was.
 */
export async function openDatabase(path: string): Promise<Database> {
  const { DatabaseSync } = await loadDriver()

  let database: Database | undefined
  try {
    database = new DatabaseSync(path)
    database.exec('PRAGMA busy_timeout = 1000')
    // Before anything is written, so that a file of a newer version stays untouched.
    refuseNewer(database, path)
    refuseOthers(database, path)
    const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = WAL').get()
    if (mode !== 'wal') throw new InboxError(`inbox ${path}: needs WAL mode. Choose a file on a local disk.`)
    database.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${LOG_LIMIT_PAGES}`)
    migrate(database, path)
    // Fails here, and not at the first delivery, on a file that is another program's.
    database.prepare('SELECT inbox.key, ledger.effect FROM inbox, ledger')
    // A file that is read-only is opened so by SQLite, and stays so when it is mended: better not to start on it.
    database.exec('BEGIN IMMEDIATE')
    writeNothing(database)
    database.exec('COMMIT')
    followed.set(database, filesOf(path, realPath(database)))
    return database
  } catch (error) {
    database?.close()
    throw storeError(error, path)
  }
}

/**
 * Commits a write that changes nothing, which a file that is locked, read-only or on a full disk can not take.
 * To be called inside a transaction.
 */
export function writeNothing(database: Database): void {
  // Whatever number is there: a newer program may have changed it since.
  database.exec(`PRAGMA user_version = ${versionOf(database)}`)
}

/** The file that an open database is in, as SQLite found it: an absolute path without links. */
export const realPath = (database: Database): string => database.prepare('PRAGMA database_list').get().file

/**
 * To be called before a write: SQLite goes on in a file that was moved or deleted, and all that it is given there would
 * be gone with the process.
 * @throws InboxError if the files of the database are no longer where they were when it was opened.
 */
export function requireInPlace(database: Database): void {
  followed.get(database)?.requireInPlace()
}

/**
 * Carries the log over into the file, in one of SQLite's modes, unless somebody has put another log in its place: the
 * two would be mixed. A file that was moved away becomes whole by it, and a log that was deleted is saved.
 * @throws Error of SQLite if it can not.
 */
export function carryOver(database: Database, mode: 'PASSIVE' | 'TRUNCATE'): void {
  if (followed.get(database)?.logIsOurs() ?? true) database.exec(`PRAGMA wal_checkpoint(${mode})`)
}

/**
 * Puts what was committed without a sync of the disk onto it, without keeping the process waiting.
 * @throws Error of the disk; what was committed since the last sync may then be lost with the machine.
 */
export function syncLog(database: Database): Promise<void> {
  let log = logs.get(database)
  if (log === undefined) {
    log = openLog(`${realPath(database)}-wal`)
    logs.set(database, log)
  }
  return log.sync()
}

/**
 * Writes the whole log into the file, and both onto the disk: what a sync of the log failed to keep is kept by this.
 * @throws Error of SQLite if it can not, or if another program is reading the log.
 */
export function saveLog(database: Database): void {
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (busy !== 0)
    throw new InboxError(
      `inbox ${realPath(database)}: the log can not be saved while another program reads it.`,
    )
}

/** Loads what opens databases. */
export async function loadDriver(): Promise<Driver> {
  return builtIn() ?? (await import('@photostructure/sqlite'))
}

/** node:sqlite, in a Node that has it, without its warning that it may yet change: an operator can do nothing about it. */
function builtIn(): Driver | undefined {
  const emitWarning = process.emitWarning.bind(process)
  try {
    process.emitWarning = () => {}
    return process.getBuiltinModule('node:sqlite') as Driver | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Closes it with everything in the one file, so that a copy of that file is a whole backup. */
export function closeDatabase(database: Database): void {
  try {
    // Waits for nobody: whoever else has it open will carry the rest over.
    database.exec('PRAGMA busy_timeout = 0')
    carryOver(database, 'TRUNCATE')
  } finally {
    logs.get(database)?.close()
    database.close()
  }
}

const versionOf = (database: Database): number => database.prepare('PRAGMA user_version').get().user_version

function refuseNewer(database: Database, path: string): void {
  const version = versionOf(database)
  if (version <= SCHEMA_VERSION) return
  const formats = `its format is ${version}, this program knows ${SCHEMA_VERSION}`
  throw new InboxError(
    `inbox ${path}: made by a newer version (${formats}). Update the program, or choose another file.`,
  )
}

/** A file without our mark has no tables, or they are somebody else's. */
function refuseOthers(database: Database, path: string): void {
  if (versionOf(database) > 0) return
  const { tables } = database
    .prepare("SELECT count(*) AS tables FROM sqlite_master WHERE type = 'table'")
    .get()
  if (tables === 0) return
  // Another process may be making ours at this moment.
  if (versionOf(database) > 0) return
  throw new InboxError(
    `inbox ${path}: is another program's database. Choose another file; nothing was changed.`,
  )
}

function migrate(database: Database, path: string): void {
  if (versionOf(database) === SCHEMA_VERSION) return
  // Taken before the second look, since another process may be making the tables at this moment.
  database.exec('BEGIN IMMEDIATE')
  refuseNewer(database, path)
  for (const migration of MIGRATIONS.slice(versionOf(database))) database.exec(migration)
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`)
}

/** SQLite's result codes, in the words of the person who has to mend it. */
const EXPLANATIONS = new Map([
  [5, 'another program holds the file. Stop it, then start again.'],
  [8, 'the file or its folder is read-only. Make both writable, or choose another file.'],
  [11, 'the file is damaged. Restore it from a backup, or move it away; nothing was changed.'],
  [13, 'the disk is full. Make room, then start again.'],
  [14, 'the file can not be opened. Its folder must exist and both must be writable.'],
  [26, 'the file is not a SQLite database. Choose another file, or move it away; nothing was changed.'],
])

/** What SQLite threw, as an error that names the file and the mend. */
export function storeError(error: unknown, path: string): InboxError {
  return error instanceof InboxError ? error : new InboxError(explain(error, path), { cause: error })
}

/** SQLite's result code of what it threw; 0 if it was not SQLite. */
export function resultCode(error: unknown): number {
  // The low byte is the plain code; the rest only refines it.
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff
}

function explain(error: unknown, path: string): string {
  const known = EXPLANATIONS.get(resultCode(error))
  return `inbox ${path}: ${known ?? `${(error as Error).message}. Choose another file.`}`
}
