import { InboxError, type InboxReader, NoInboxError } from '../../inbox.ts'
import { type Database, loadDriver } from './driver.ts'
import { readError } from './errors.ts'
import { type Look, lookAt, openForReading } from './read-only.ts'
import { holdsInbox, requireKnownVersion } from './schema.ts'
import { depthOf, entriesIn, entryWith, prepareReads, type ReadStatements } from './statements.ts'
import { LOCK_TIMEOUT_MS, retryWhileLocked } from './waiting.ts'

interface Opened {
  readonly database: Database
  readonly statements: ReadStatements
  readonly look: Look
}

/** How often a file may change while it is being read without SQLite's locks. */
const MAX_TRIES = 10

/**
 * Reads the inbox in a SQLite file, also while receivers use it. It needs permission to read the file, and the -wal and
 * -shm files next to it if they exist, and it changes none of them. A program that reads a file for long should close the
 * reader from time to time, because a receiver cannot empty the log while it is being read.
 * @param options `path`: the path of an existing inbox
 * @throws NoInboxError if the file does not hold an inbox; InboxError, as every method does, if it cannot be read.
 */
export async function readSqliteInbox({ path }: { path: string }): Promise<InboxReader> {
  const driver = await loadDriver()
  let opened: Opened | undefined
  let closed = false

  function open(look: Look): Opened {
    const database = openForReading(driver, path, look)
    try {
      requireKnownVersion(database, path)
      if (!holdsInbox(database)) {
        throw new NoInboxError(
          `inbox ${path}: the file does not hold an inbox. Choose the file that the receiver uses.`,
        )
      }
      return { database, statements: prepareReads(database), look }
    } catch (error) {
      database.close()
      throw error
    }
  }

  function close(): void {
    opened?.database.close()
    opened = undefined
  }

  /** @returns undefined if the files changed meanwhile, so that the result may be wrong */
  function readOnce<Result>(query: (statements: ReadStatements) => Result): { result: Result } | undefined {
    const look = opened?.look ?? lookAt(path)
    try {
      opened ??= open(look)
      const result = query(opened.statements)
      if (look.isCurrent()) return { result }
    } catch (error) {
      if (look.isCurrent()) throw error
    }
    close()
    return undefined
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
    depth: (now) => read((statements) => depthOf(statements, now)),
    async close() {
      closed = true
      close()
    },
  }
}
