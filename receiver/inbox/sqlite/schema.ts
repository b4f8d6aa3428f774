import { InboxError } from '../../inbox.ts'
import type { Database } from './driver.ts'

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

/**
 * Makes a write that changes nothing; it fails if the file is locked, read-only or on a full disk. Call it inside a
 * transaction.
 */
export function writeNothing(database: Database): void {
  // The current number, because a newer program may have changed it.
  database.exec(`PRAGMA user_version = ${versionOf(database)}`)
}

const versionOf = (database: Database): number => database.prepare('PRAGMA user_version').get().user_version

/**
 * The format must not be that of a newer version.
 * @throws InboxError that names the path
 */
export function requireKnownVersion(database: Database, path: string): void {
  const version = versionOf(database)
  if (version <= SCHEMA_VERSION) return
  const formats = `its format is ${version}, this version supports ${SCHEMA_VERSION}`
  throw new InboxError(
    `inbox ${path}: created by a newer version (${formats}). Update the program, or choose another file.`,
  )
}

/**
 * A file without our version number must have no tables; otherwise it belongs to another program.
 * @throws InboxError that names the path
 */
export function requireOwnFile(database: Database, path: string): void {
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

/** Whether the file has our tables, of any version. */
export function holdsInbox(database: Database): boolean {
  const { tables } = database
    .prepare(
      "SELECT count(*) AS tables FROM sqlite_master WHERE type = 'table' AND name IN ('inbox', 'ledger')",
    )
    .get()
  return tables === 2 && versionOf(database) > 0
}

/** Whether the tables are missing or those of an earlier version. */
export const needsMigration = (database: Database): boolean => versionOf(database) !== SCHEMA_VERSION

/**
 * Brings the tables up to date. Call it inside a transaction: the version is checked again, because another process may
 * have migrated the file.
 */
export function migrate(database: Database, path: string): void {
  requireKnownVersion(database, path)
  for (const migration of MIGRATIONS.slice(versionOf(database))) database.exec(migration)
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
}
