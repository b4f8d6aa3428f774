import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { APPLICATION_ID, ownership } from './ownership.ts'
import { MIGRATIONS, SCHEMA_VERSION } from './schema.ts'
import { type Database, sqliteDriver } from './sqlite.ts'

/** The sandbox's file can not be used; the message names it and the mend. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code = 'store_unusable'
}

/**
 * Opens the file, and makes the tables in a new one, which nobody but its owner may read: it holds signing secrets. A
 * commit is on the disk when it returns.
 * @param path a file, or `:memory:`
 * @throws StoreError if the file can not be used; it is then left as it was
 */
export async function openDatabase(path: string): Promise<Database> {
  const { DatabaseSync } = await sqliteDriver()
  let database: Database | undefined
  try {
    if (path !== ':memory:') await makePrivate(path)
    database = new DatabaseSync(path)
    database.exec('PRAGMA busy_timeout = 1000; PRAGMA foreign_keys = ON')
    const version = versionOf(database)
    // Before anything is written, so that a file of another program or a newer version stays untouched.
    if (ownership(database, version) === 'foreign') throw foreignFile(path)
    if (version > SCHEMA_VERSION) throw newerFile(path, version)
    // The lock is held until the end: two sandboxes over one file would both send what stands in its queue.
    if (path !== ':memory:') {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    }
    migrate(database, version)
    return database
  } catch (error) {
    database?.close()
    throw error instanceof StoreError ? error : new StoreError(explain(error, path), { cause: error })
  }
}

/** Closes it with everything in the one file, so that a copy of that file is a whole backup. */
export function closeDatabase(database: Database): void {
  try {
    // A driver may hold the connection open until its statements are collected as garbage, so the lock is let go here:
    // that needs another journal mode and, to take effect, one read.
    database.exec(
      'PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT 1 FROM settings LIMIT 1',
    )
  } finally {
    database.close()
  }
}

/** SQLite would let others read a new file, and gives the files beside it the same rights. */
async function makePrivate(path: string): Promise<void> {
  if (existsSync(path)) return
  try {
    await (await open(path, 'wx', 0o600)).close()
  } catch {
    // SQLite says better why it can not be made; or it is there by now.
  }
}

function migrate(database: Database, version: number): void {
  if (version === SCHEMA_VERSION && ownership(database, version) === 'marked') return
  // When a statement fails, the file is closed, and nothing of it has happened.
  const marks = [`PRAGMA user_version = ${SCHEMA_VERSION}`, `PRAGMA application_id = ${APPLICATION_ID}`]
  database.exec(`BEGIN IMMEDIATE; ${[...MIGRATIONS.slice(version), ...marks].join(';')}; COMMIT`)
}

const versionOf = (database: Database): number => database.prepare('PRAGMA user_version').get().user_version

const newerFile = (path: string, version: number) =>
  new StoreError(
    `sandbox ${path}: made by a newer version (its format is ${version}, this program knows ${SCHEMA_VERSION}). ` +
      'Update the program, or choose another file.',
  )

const foreignFile = (path: string) =>
  new StoreError(`sandbox ${path}: another program's database. Choose another file; nothing was changed.`)

/** SQLite's result codes, in the words of the person who has to mend it. */
const EXPLANATIONS = new Map([
  [5, 'another program holds the file. Stop it, then start again.'],
  [8, 'the file or its folder is read-only. Make both writable, or choose another file.'],
  [11, 'the file is damaged. Move it away, or start with --reset; nothing was changed.'],
  [13, 'the disk is full. Make room, then start again.'],
  [14, 'the file can not be opened. Its folder must exist and both must be writable.'],
  [26, 'the file is not a SQLite database. Choose another file; nothing was changed.'],
])

function explain(error: unknown, path: string): string {
  const code = (error as { errcode?: number }).errcode ?? 0
  // The low byte is the plain code; the rest only refines it.
  const known = EXPLANATIONS.get(code & 0xff)
  return `sandbox ${path}: ${known ?? `${(error as Error).message}. Choose another file.`}`
}
