import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  deduplicationKey,
  type Entry,
  type EntryState,
  type Inbox,
  InboxError,
  LostAttemptError,
} from '../inbox.ts'
import { requirePositiveIntegers } from '../shared/options.ts'
import { afterFailure, LAST_ATTEMPT_INTERRUPTED, type RetryPolicy, retryPolicy } from './retries.ts'
import { claimedEntries, depthOf, entryOf, isId, type Row } from './rows.ts'
import { LOCK_TIMEOUT_MS, openDatabase } from './sqlite/database.ts'
import { type Database, loadDriver, realPath } from './sqlite/driver.ts'
import { storeError } from './sqlite/errors.ts'
import { type ExposedFile, exposedFiles, trackFiles } from './sqlite/files.ts'
import { createLock } from './sqlite/lock.ts'
import { writeNothing } from './sqlite/schema.ts'
import { entriesIn, entryWith, prepareStatements } from './sqlite/statements.ts'
import { allOrNothing, startWriter } from './sqlite/writer.ts'
import { toColumn } from './text.ts'

export { sqliteLedger } from '../ledger/sqlite.ts'
export { type Database, type Driver, loadDriver } from './sqlite/driver.ts'
export type { ExposedFile } from './sqlite/files.ts'
export { readSqliteInbox } from './sqlite/reader.ts'

export interface SqliteInboxOptions {
  /** The path of the file; created if it does not exist, in an existing folder. */
  path: string
  /** The current Unix time in milliseconds. */
  clock?: () => number
  retries?: Partial<RetryPolicy>
  /** How long a write may wait while another process holds the write lock of the file, in milliseconds. */
  lockTimeoutMs?: number
}

/**
 * A SQLite inbox, whose transaction is the open database. There is one connection, so `transact` must be synchronous:
 * otherwise other events would be stored in its transaction. Keep it short, because acknowledgments wait for it.
 */
export interface SqliteInbox extends Inbox<Database> {
  /** The open database, for a ledger or your own tables in the same file. */
  readonly database: Database
  /** The files of the inbox that other users could read when it was opened: log them, and suggest `chmod 600`. */
  readonly exposedFiles: readonly ExposedFile[]
}

/** Rows per DELETE: small enough that acknowledgments hardly wait. */
const PURGE_BATCH = 500

/** Bytes of bodies per DELETE, for the same reason: SQLite frees each page of a large body. */
const PURGE_BYTES = 8 * 1024 * 1024

/**
 * An inbox in a SQLite file, for one receiver on one machine. Accepted events survive a crash and a power failure. Several
 * inboxes may have the file open, but only the first that calls `recover` or `claim` may use these two, until it is closed
 * or its process ends; for the others they reject. SPEC.md 6 and 7.
 * @throws InboxError if the file cannot be used (it is then left unchanged); TypeError if a number is not an integer of at least 1.
 */
export async function sqliteInbox(options: SqliteInboxOptions): Promise<SqliteInbox> {
  const { path, clock = Date.now, retries, lockTimeoutMs = LOCK_TIMEOUT_MS } = options
  const policy = retryPolicy(retries)
  requirePositiveIntegers({ lockTimeoutMs })
  const database = await openDatabase(path, { lockTimeoutMs })
  const real = realPath(database)
  const files = trackFiles(path, real)
  const { write, close } = await startWriter({ database, path, files, lockTimeoutMs }).catch(
    (error: unknown): never => {
      database.close()
      throw error
    },
  )
  const statements = prepareStatements(database)
  const lock = createLock(await loadDriver(), path, `${real}-lock`)
  const closing = new AbortController()
  /** The latest time at which a retry may have been scheduled; an earlier process may have had any time. */
  let scheduledUntil = Number.POSITIVE_INFINITY
  /** Rows of claims that failed: they may or may not have been committed. */
  let uncertain: Row[] = []

  /** @throws InboxError if another inbox processes the events of the file. */
  function requireLock(): void {
    if (closing.signal.aborted) throw new InboxError(`inbox ${path}: the inbox is closed.`)
    // Checked first, because the lock file may have been moved too, and the message should name the database.
    files.requireInPlace()
    lock.acquire()
  }

  /** Updates an entry if the given attempt is current. @throws LostAttemptError if it is not */
  function settle(entry: Entry, state: EntryState, dueAt: number, lastError: string | null): void {
    const { id, attempts } = entry
    const { changes } = statements.settle.run(state, dueAt, lastError, id, attempts)
    if (changes !== 1) throw new LostAttemptError(entry)
  }

  return {
    database,
    exposedFiles: exposedFiles(['', '-wal', '-shm', '-lock'].map((suffix) => real + suffix)),
    async accept(delivery) {
      const { paymentId, name, body, signedAt } = delivery
      const row = [deduplicationKey(delivery), toColumn(paymentId), toColumn(name), body, signedAt, clock()]
      const { changes } = await write(() => statements.insert.run(...row), body.length)
      return changes === 0 ? 'duplicate' : 'stored'
    },
    async recover() {
      requireLock()
      const dead = await write(() =>
        allOrNothing(database, () => {
          const rows = statements.markDead.all(LAST_ATTEMPT_INTERRUPTED, policy.maxAttempts)
          statements.requeueStale.run()
          return rows
        }),
      )
      return dead.map(entryOf)
    },
    async claim(limit, now) {
      requireLock()
      // The clock was wrong, or was set back: retries may be due far too late.
      const setBack = now < scheduledUntil
      let rows: Row[] = []
      try {
        await write(() => {
          if (setBack) statements.limitDue.run(now + policy.maxDelayMs, now + policy.maxDelayMs)
          for (const { id, attempts, due_at: dueAt, last_error: lastError } of uncertain) {
            statements.settle.run('pending', dueAt, lastError, id, attempts)
          }
          rows = statements.claim.all(now, limit)
        })
        uncertain = []
        scheduledUntil = now
      } catch (error) {
        uncertain = [...uncertain, ...rows]
        throw error
      }
      return claimedEntries(rows)
    },
    async complete(entry, transact) {
      await write(() => {
        if (transact === undefined) return settle(entry, 'done', 0, null)
        allOrNothing(database, () => {
          settle(entry, 'done', 0, null)
          requireSynchronous(transact(database))
        })
      })
    },
    async fail(entry, reason) {
      const now = clock()
      const after = afterFailure(policy, entry.attempts, now)
      scheduledUntil = Math.max(scheduledUntil, now)
      const dueAt = after.state === 'pending' ? after.dueAt : 0
      await write(() => settle(entry, after.state, dueAt, toColumn(reason)))
      return after
    },
    get: async (id) => entryWith(statements, id),
    list: async (filter) => entriesIn(statements, filter),
    async retry(id) {
      if (!isId(id)) return false
      const { changes } = await write(() => statements.retry.run(id))
      return changes === 1
    },
    async purge(before) {
      let purged = 0
      let deleted = 1
      while (deleted > 0 && !closing.signal.aborted) {
        const batch = await write(() => statements.purge.run(before, PURGE_BATCH, PURGE_BYTES))
        deleted = Number(batch.changes)
        purged += deleted
        // Lets deliveries proceed that arrived meanwhile.
        await nextTurn()
      }
      return purged
    },
    async depth(now) {
      return depthOf(statements.depth.all(), now)
    },
    async check() {
      await write(() => writeNothing(database)).catch((error: unknown) => {
        throw storeError(error, path)
      })
    },
    async close() {
      closing.abort()
      try {
        await close()
      } catch (error) {
        throw storeError(error, path)
      } finally {
        lock.release()
      }
    },
  }
}

function requireSynchronous(returned: unknown): void {
  if (typeof (returned as { then?: unknown } | null | undefined)?.then !== 'function') return
  // Nothing awaits the promise, and an unhandled rejection would crash the process.
  Promise.resolve(returned).catch(() => {})
  throw new TypeError(
    'transact: returned a promise, which a SQLite transaction cannot wait for. Make it synchronous, or use handle.',
  )
}
