import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { InboxError } from '../inbox.ts'
import { type Files, filesOf } from './files.ts'
import { type LogSync, openLog } from './log-sync.ts'

/** An open SQLite database: `DatabaseSync` of node:sqlite, or of its substitute for Node.js versions without it. */
export type Database = DatabaseSyncInstance

/** The module that opens databases. */
export type Driver = typeof import('@photostructure/sqlite')

/** Each entry migrates the schema to the next version; the first starts from an empty file. */
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
  // Retention finds old entries without scanning the others.
  `CREATE INDEX inbox_done ON inbox (received_at) WHERE state = 'done'`,
]

const SCHEMA_VERSION = MIGRATIONS.length

const fileChecks = new WeakMap<Database, Files>()

const logs = new WeakMap<Database, LogSync>()

/**
 * How many pages of 4 KiB the log may reach before a commit checkpoints it. With SQLite's default of 1000 a busy receiver
 * writes the same index pages again and again.
 */
const LOG_LIMIT_PAGES = 20_000

/**
 * Opens the file and creates the tables if it is new. A commit is on disk when it returns.
 * @throws InboxError if the file cannot be used; it is then left unchanged.
 */
export async function openDatabase(path: string): Promise<Database> {
  const { DatabaseSync } = await loadDriver()

  let database: Database | undefined
  try {
    database = new DatabaseSync(path)
    database.exec('PRAGMA busy_timeout = 1000')
    // Before the first write, so that a file of a newer version stays unchanged.
    requireKnownVersion(database, path)
    requireOwnFile(database, path)
    const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = WAL').get()
    if (mode !== 'wal')
      throw new InboxError(`inbox ${path}: WAL mode is not available. Choose a file on a local disk.`)
    database.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${LOG_LIMIT_PAGES}`)
    migrate(database, path)
    // Fails now, not at the first delivery, if the file belongs to another program.
    database.prepare('SELECT inbox.key, ledger.effect FROM inbox, ledger')
    // SQLite opens a read-only file for reading and keeps it so after the permissions are fixed: better not to start.
    database.exec('BEGIN IMMEDIATE')
    writeNothing(database)
    database.exec('COMMIT')
    fileChecks.set(database, filesOf(path, realPath(database)))
    return database
  } catch (error) {
    database?.close()
    throw storeError(error, path)
  }
}

/**
 * Makes a write that changes nothing; it fails if the file is locked, read-only or on a full disk. Call it inside a
 * transaction.
 */
export function writeNothing(database: Database): void {
  // The current number, because a newer program may have changed it.
  database.exec(`PRAGMA user_version = ${versionOf(database)}`)
}

/** The file of an open database as SQLite resolved it: an absolute path without symbolic links. */
export const realPath = (database: Database): string => database.prepare('PRAGMA database_list').get().file

/**
 * Call this before a write: SQLite keeps writing to a file that was moved or deleted, and a restart would not find what it
 * wrote.
 * @throws InboxError if the files of the database are no longer where they were when it was opened.
 */
export function requireInPlace(database: Database): void {
  fileChecks.get(database)?.requireInPlace()
}

/**
 * Checkpoints the log into the file, in one of SQLite's modes, unless the log was replaced by another one. This completes
 * a file that was moved, and saves a log that was deleted.
 * @throws Error of SQLite if the checkpoint fails.
 */
export function checkpoint(database: Database, mode: 'PASSIVE' | 'TRUNCATE'): void {
  if (fileChecks.get(database)?.logIsOurs() ?? true) database.exec(`PRAGMA wal_checkpoint(${mode})`)
}

/**
 * Syncs commits that were made without a disk sync, without blocking the process.
 * @throws Error of the file system; a power failure may then lose commits since the last sync.
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
 * Checkpoints the entire log into the file and syncs both, so that commits whose sync failed are on disk.
 * @throws InboxError if another program is reading the log; Error of SQLite if the checkpoint fails.
 */
export function saveLog(database: Database): void {
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (busy !== 0)
    throw new InboxError(
      `inbox ${realPath(database)}: the log cannot be saved while another program is reading it.`,
    )
}

/** Loads the SQLite driver. */
export async function loadDriver(): Promise<Driver> {
  return builtInDriver() ?? (await import('@photostructure/sqlite'))
}

/** node:sqlite if this Node.js version has it, without its experimental warning, which an operator cannot act on. */
function builtInDriver(): Driver | undefined {
  const emitWarning = process.emitWarning.bind(process)
  try {
    process.emitWarning = () => {}
    return process.getBuiltinModule('node:sqlite') as Driver | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Closes the database with all its data in one file, so that a copy of that file is a complete backup. */
export function closeDatabase(database: Database): void {
  try {
    // Without waiting: another process that has the file open will checkpoint the rest.
    database.exec('PRAGMA busy_timeout = 0')
    checkpoint(database, 'TRUNCATE')
  } finally {
    logs.get(database)?.close()
    database.close()
  }
}

const versionOf = (database: Database): number => database.prepare('PRAGMA user_version').get().user_version

function requireKnownVersion(database: Database, path: string): void {
  const version = versionOf(database)
  if (version <= SCHEMA_VERSION) return
  const formats = `its format is ${version}, this version supports ${SCHEMA_VERSION}`
  throw new InboxError(
    `inbox ${path}: created by a newer version (${formats}). Update the program, or choose another file.`,
  )
}

/** A file without our version number must have no tables; otherwise it belongs to another program. */
function requireOwnFile(database: Database, path: string): void {
  if (versionOf(database) > 0) return
  const { tables } = database
    .prepare("SELECT count(*) AS tables FROM sqlite_master WHERE type = 'table'")
    .get()
  if (tables === 0) return
  // Another process may have just created our tables.
  if (versionOf(database) > 0) return
  throw new InboxError(
    `inbox ${path}: the file is the database of another program. Choose another file; nothing was changed.`,
  )
}

function migrate(database: Database, path: string): void {
  if (versionOf(database) === SCHEMA_VERSION) return
  // Locked before checking the version again, because another process may be migrating.
  database.exec('BEGIN IMMEDIATE')
  requireKnownVersion(database, path)
  for (const migration of MIGRATIONS.slice(versionOf(database))) database.exec(migration)
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`)
}

/** Explanations of SQLite's result codes, for the person who has to fix the problem. */
const EXPLANATIONS = new Map([
  [5, 'the file is locked by another program. Stop that program, then start again.'],
  [8, 'the file or its folder is read-only. Make both writable, or choose another file.'],
  [11, 'the file is corrupt. Restore it from a backup, or move it away; nothing was changed.'],
  [13, 'the disk is full. Free some space, then start again.'],
  [14, 'the file cannot be opened. Its folder must exist, and both must be writable.'],
  [26, 'the file is not a SQLite database. Choose another file, or move it away; nothing was changed.'],
])

/** Converts an error of SQLite to one that names the file and the fix. */
export function storeError(error: unknown, path: string): InboxError {
  return error instanceof InboxError ? error : new InboxError(explain(error, path), { cause: error })
}

/** The SQLite result code of an error; 0 if the error is not from SQLite. */
export function resultCode(error: unknown): number {
  // The low byte is the primary code; the rest is detail.
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff
}

function explain(error: unknown, path: string): string {
  const known = EXPLANATIONS.get(resultCode(error))
  return `inbox ${path}: ${known ?? `${(error as Error).message}. Choose another file.`}`
}
