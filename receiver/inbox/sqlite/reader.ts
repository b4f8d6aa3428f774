import { realpathSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { InboxError, type InboxReader, NoInboxError } from '../../inbox.ts'
import { depthOf } from '../rows.ts'
import { LOCK_TIMEOUT_MS, retryWhileLocked } from './database.ts'
import { type Database, type Driver, loadDriver } from './driver.ts'
import { readError } from './errors.ts'
import { holdsInbox, requireKnownVersion } from './schema.ts'
import { entriesIn, entryWith, prepareReads, type ReadStatements } from './statements.ts'

/** How often a file may change while it is being read without SQLite's locks. */
const MAX_TRIES = 10

/**
 * Reads the inbox in a SQLite file, also while receivers use it. It needs permission to read the file, and the -wal and
 * -shm files next to it if they exist, and it changes none of them. It opens the file for each call, so that receivers can
 * empty the log between them.
 * @param options `path`: the path of an existing inbox
 * @throws NoInboxError if the file does not hold an inbox; InboxError, as every method does, if it cannot be read.
 */
export async function readSqliteInbox({ path }: { path: string }): Promise<InboxReader> {
  const driver = await loadDriver()
  let closed = false

  /** @returns undefined if the files changed meanwhile, so that the result may be wrong */
  function readOnce<Result>(query: (statements: ReadStatements) => Result): { result: Result } | undefined {
    const look = lookAt(path)
    let database: Database | undefined
    try {
      database = openForReading(driver, path, look)
      requireKnownVersion(database, path)
      if (!holdsInbox(database)) throw noInbox(path, 'the file does not hold an inbox')
      const result = query(prepareReads(database))
      return look.isCurrent() ? { result } : undefined
    } catch (error) {
      if (look.isCurrent()) throw error
      return undefined
    } finally {
      database?.close()
    }
  }

  async function read<Result>(query: (statements: ReadStatements) => Result): Promise<Result> {
    if (closed) throw new InboxError(`inbox ${path}: the inbox is closed.`)
    try {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const done = await retryWhileLocked(() => readOnce(query), LOCK_TIMEOUT_MS)
        if (done !== undefined) return done.result
      }
    } catch (error) {
      throw readError(error, path)
    }
    throw new InboxError(`inbox ${path}: the file keeps changing while it is being read. Try again.`)
  }

  await read(() => undefined)
  return {
    get: (id) => read((statements) => entryWith(statements, id)),
    list: (filter) => read((statements) => entriesIn(statements, filter)),
    depth: (now) => read((statements) => depthOf(statements.depth.all(), now)),
    async close() {
      closed = true
    },
  }
}

/** How the files of a database looked before it was opened. */
interface Look {
  /** The absolute path without symbolic links. */
  readonly real: string
  /** The user that owns the file. */
  readonly uid: bigint
  /**
   * `shared`: it may be open elsewhere, so that SQLite's locks are needed. `interrupted`: it is not open, but its log
   * contains commits. `complete`: it is not open, and all data is in the file.
   */
  readonly state: 'shared' | 'interrupted' | 'complete'
  /** Whether the files still look the same, so that what was read without locks is right. */
  isCurrent(): boolean
}

/**
 * Looks at the files of a database without opening them. SQLite creates the -shm file before it uses a log, and deletes it
 * when no program has the database open any more.
 * @throws NoInboxError if there is no file; InboxError if its log was deleted; Error of the file system.
 */
function lookAt(path: string): Look {
  const main = statOf(path)
  if (main === undefined) throw noInbox(path, 'no such file')
  if (!main.isFile()) throw noInbox(path, 'it is not a file')
  const real = realpathSync(path)
  const [wal, shm, journal] = ['-wal', '-shm', '-journal'].map((suffix) => statOf(real + suffix))
  if (shm !== undefined && wal === undefined) {
    throw new InboxError(`inbox ${path}: its -wal file is missing. Put it back, or restart the receiver.`)
  }
  const interrupted = (wal?.size ?? 0n) > 0n || journal !== undefined
  const state = shm !== undefined ? 'shared' : interrupted ? 'interrupted' : 'complete'
  return {
    real,
    uid: main.uid,
    state,
    isCurrent() {
      const now = statOf(real)
      if (now?.ino !== main.ino || now.dev !== main.dev) return false
      const isShared = statOf(`${real}-shm`) !== undefined
      if (state !== 'complete') return isShared === (state === 'shared')
      const isSame = now.size === main.size && now.mtimeNs === main.mtimeNs && now.ctimeNs === main.ctimeNs
      return isSame && !isShared
    },
  }
}

/**
 * Opens a database for reading, without changing or creating a file: an ordinary read-only connection would create the log
 * and its index for the user of this process, and the receiver could not write them.
 * @throws InboxError if that is not possible; Error of SQLite.
 */
function openForReading({ DatabaseSync }: Driver, path: string, { real, uid, state }: Look): Database {
  const url = takesUrls(DatabaseSync) ? pathToFileURL(real).href : undefined
  if (state === 'complete' && url !== undefined) {
    return new DatabaseSync(`${url}?immutable=1`, { readOnly: true })
  }
  if (state === 'shared') {
    return new DatabaseSync(url === undefined ? real : `${url}?readonly_shm=1`, { readOnly: true })
  }
  // SQLite creates the index of the log. Run by root, it gives it to the owner of the database.
  const user = process.getuid?.()
  if (user !== undefined && user !== 0 && BigInt(user) !== uid) {
    const newer = url === undefined ? 'use Node.js 22.15 or later, ' : ''
    throw new InboxError(
      `inbox ${path}: while the receiver is not running, only its owner can read the file. Run this as that user, ${newer}or start the receiver.`,
    )
  }
  return new DatabaseSync(real, { readOnly: true })
}

/** Whether the driver takes parameters in a URL, which node:sqlite does since Node.js 22.15. */
function takesUrls(DatabaseSync: Driver['DatabaseSync']): boolean {
  try {
    new DatabaseSync('file:?mode=memory', { readOnly: true }).close()
    return true
  } catch {
    return false
  }
}

const noInbox = (path: string, reason: string): NoInboxError =>
  new NoInboxError(`inbox ${path}: ${reason}. Choose the file that the receiver uses.`)

const statOf = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false })
