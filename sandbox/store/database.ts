import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SCHEMA, SCHEMA_VERSION } from './schema.ts'
import { type Database, type Driver, sqliteDriver } from './sqlite.ts'

/** The sandbox's file cannot be used; the message names the file and the fix. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code = 'store_unusable'
}

/**
 * Opens the file, or creates it with its tables, readable only by its owner since it holds signing secrets. A commit
 * survives the end of the process; a power cut may undo the last ones.
 * @param path a file, or `:memory:`
 * @throws StoreError if the file cannot be used, or if there is no SQLite; the file is then unchanged
 */
export async function openDatabase(path: string): Promise<Database> {
  const { DatabaseSync } = await driver()
  let database: Database | undefined
  let isNew = false
  try {
    // An absolute path, because SQLite would read a name that starts with `file:` as a URL, and open another file.
    const file = path === ':memory:' ? path : resolve(path)
    if (path !== ':memory:') isNew = await makePrivate(file)
    database = new DatabaseSync(file)
    database.exec('PRAGMA busy_timeout = 1000; PRAGMA foreign_keys = ON')
    // Checked before writing, so that a file of another program or another version stays unchanged.
    const isEmpty = requireOwn(database, path)
    // The lock is held until the file is closed: two sandboxes on one file would both send its queue.
    if (path !== ':memory:') {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    }
    if (isEmpty) create(database)
    return database
  } catch (error) {
    database?.close()
    if (isNew && primaryCode(error) !== BUSY) await deleteAll(path)
    if (error instanceof StoreError) throw error
    throw new StoreError(await explain(error, path), { cause: error })
  }
}

/** Adds the fix to an error of SQLite after the file was opened: damage often shows only when a table is read. */
export async function withFix(error: unknown, path: string): Promise<unknown> {
  if (error instanceof StoreError || primaryCode(error) === 0) return error
  return new StoreError(await explain(error, path), { cause: error })
}

/** Whether SQLite reported that a file is damaged. */
export const isDamage = (error: unknown): boolean =>
  primaryCode(error instanceof StoreError ? error.cause : error) === DAMAGED

async function driver(): Promise<Driver> {
  try {
    return await sqliteDriver()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StoreError(
      `the sandbox: Node.js ${process.versions.node} does not include SQLite. Run npm install @photostructure/sqlite@1 beside hookproof (with npx: npx -p hookproof -p @photostructure/sqlite@1 hookproof sandbox), or use Node.js 22.13 or later.`,
      { cause: error },
    )
  }
}

/**
 * Closes the database and leaves everything in one file, so that a copy of that file is a complete backup. On a full disk
 * the -wal file stays beside it, and the next start reads both.
 */
export function closeDatabase(database: Database): void {
  try {
    // A driver may keep the connection open until its statements are garbage-collected, so the lock is released here.
    // That requires another journal mode and one read.
    database.exec(
      'PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT 1 FROM settings LIMIT 1',
    )
  } catch (error) {
    if (primaryCode(error) !== FULL) throw error
  } finally {
    database.close()
  }
}

/**
 * SQLite would create a file that others can read; it gives the -wal and -shm files the same permissions.
 * @returns whether it created the file
 */
async function makePrivate(path: string): Promise<boolean> {
  if (existsSync(path)) return false
  for (const flags of ['wx', 'a']) {
    try {
      await (await open(path, flags, 0o600)).close()
      return flags === 'wx'
    } catch {
      // It is the target of a symbolic link, which SQLite creates too, or exists by now, or SQLite reports the reason better.
    }
  }
  return false
}

/** Deletes the files of a database, whether they are all there or not. */
export async function deleteAll(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(path + suffix, { force: true })
}

function create(database: Database): void {
  // One transaction: if a statement fails, the file is unchanged.
  const marks = `PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA application_id = ${APPLICATION_ID}`
  database.exec(`BEGIN IMMEDIATE; ${SCHEMA}; ${marks}; COMMIT`)
}

/** The primary result code of SQLite: the low byte. */
const primaryCode = (error: unknown): number =>
  ((error as { errcode?: number } | null | undefined)?.errcode ?? 0) & 0xff

const BUSY = 5
const DAMAGED = 11
const FULL = 13

/** The fix for each of SQLite's result codes. */
const EXPLANATIONS = new Map([
  [5, 'another program is using the file. Stop that program, then start again.'],
  [8, 'the file or its folder is read-only. Make both writable, or use another file.'],
  [
    11,
    'the file is damaged, and its header does not say that it is a sandbox. Move it away, or use another file; nothing was changed.',
  ],
  [FULL, 'the disk is full. Free some space, then start again.'],
  [14, 'the file cannot be opened. Its folder must exist, and both must be writable.'],
  [26, 'the file is not a SQLite database. Use another file; nothing was changed.'],
])

async function explain(error: unknown, path: string): Promise<string> {
  const code = primaryCode(error)
  const known =
    code === DAMAGED && (await isMarked(path))
      ? 'the file is damaged. Move it away, or reset the sandbox (hookproof sandbox --reset); nothing was changed.'
      : EXPLANATIONS.get(code)
  return `${path}: ${known ?? `${(error as Error).message}. Use another file.`}`
}

/** Marks the sandbox's files in SQLite's file header: the ASCII letters `hpsb`. */
export const APPLICATION_ID = 0x68_70_73_62

/** @returns whether the database is a new file @throws StoreError if it is not one of the sandbox that this version can read */
function requireOwn(database: Database, path: string): boolean {
  const { id, version, tables } = database
    .prepare(
      `SELECT application_id AS id, user_version AS version, (SELECT count(*) FROM sqlite_schema) AS tables
       FROM pragma_application_id, pragma_user_version`,
    )
    .get() as { id: number; version: number; tables: number }
  if (id === 0 && version === 0 && tables === 0) return true
  if (id !== APPLICATION_ID) {
    throw new StoreError(`${path} is the database of another program. Use another file; nothing was changed.`)
  }
  if (version === SCHEMA_VERSION) return false
  const age = version > SCHEMA_VERSION ? 'a newer' : 'an older'
  throw new StoreError(
    `${path} was created by ${age} version of hookproof (format ${version}; this version supports ${SCHEMA_VERSION}). ` +
      `${version > SCHEMA_VERSION ? 'Update hookproof, or use' : 'Use'} another file.`,
  )
}

/** Where SQLite's file header has the application id, in bytes. */
const OFFSET = 68

/** Whether the header of a database file, which may be damaged elsewhere, says that it is the sandbox's. */
export async function isMarked(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined)
  if (file === undefined) return false
  try {
    const id = Buffer.alloc(4)
    const { bytesRead } = await file.read(id, 0, id.length, OFFSET)
    return bytesRead === id.length && id.readUInt32BE() === APPLICATION_ID
  } finally {
    await file.close()
  }
}
