import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  deduplicationKey,
  type Entry,
  type EntryState,
  type Inbox,
  InboxError,
  LostAttemptError,
} from '../inbox.ts'
import { allOrNothing, writerOf } from './batch.ts'
import { checkpointWhenQuiet } from './checkpoint.ts'
import {
  closeDatabase,
  type Database,
  loadDriver,
  openDatabase,
  realPath,
  requireInPlace,
  storeError,
  syncLog,
  writeNothing,
} from './database.ts'
import { createLock } from './lock.ts'
import { afterFailure, LAST_ATTEMPT_UNENDED, type RetryPolicy, retryPolicy } from './retries.ts'
import { depthOf, entryOf, prepareStatements, type Row } from './statements.ts'
import { toColumn } from './text.ts'

export { sqliteLedger } from '../ledger/sqlite.ts'
export type { Database } from './database.ts'

export interface SqliteInboxOptions {
  /** The file; made if absent, in a folder that exists. */
  path: string
  /** Now, in milliseconds. */
  clock?: () => number
  retries?: Partial<RetryPolicy>
}

/**
 * The transaction that it hands out is the open database. There is one connection, so `transact` must not wait for
 * anything: acknowledgements of other events would slip into its transaction. Keep it short: they wait for it.
 */
export interface SqliteInbox extends Inbox<Database> {
  /** The open database, for a ledger or tables of your own in the same file. */
  readonly database: Database
}

/** Small enough that an acknowledgement that comes while these are deleted hardly waits. */
const PURGE_PORTION = 500

/**
 * An inbox in a SQLite file, for one receiver on one machine: what it has accepted outlives a crash and a power cut.
 * Any number of inboxes may have the file open; `recover` and `claim` reject for all but the first that called one,
 * until that is closed or its process ends.
 * @throws InboxError if the file can not be used, and is then left as it was; TypeError for a number of `retries` that
 * is no whole number above 0. SPEC.md 6 and 7.
 */
export async function sqliteInbox(options: SqliteInboxOptions): Promise<SqliteInbox> {
  const { path, clock = Date.now, retries } = options
  const policy = retryPolicy(retries)
  const database = await openDatabase(path)
  const write = writerOf(database)
  const statements = prepareStatements(database)
  const lock = createLock(await loadDriver(), path, `${realPath(database)}-lock`)
  const endCheckpoints = checkpointWhenQuiet(database)
  const closing = new AbortController()
  /** Taken by a claim that failed as a whole: whether it was committed all the same is known to nobody. */
  let inDoubt: Row[] = []

  /** Lets only one inbox at a time hand out the events of the file. */
  function requireTurn(): void {
    if (closing.signal.aborted) throw new InboxError(`inbox ${path}: is closed.`)
    // The file of the lock may have been moved with it; what is to be put back is this one.
    requireInPlace(database)
    lock.take()
  }

  /** Changes an entry that is in the given attempt. */
  function settle(entry: Entry, state: EntryState, dueAt: number, lastError: string | null): void {
    const { id, attempts } = entry
    const { changes } = statements.settle.run(state, dueAt, lastError, id, attempts)
    if (changes !== 1) throw new LostAttemptError(entry)
  }

  return {
    database,
    async accept(delivery) {
      const { paymentId, name, body, signedAt } = delivery
      const row = [deduplicationKey(delivery), toColumn(paymentId), toColumn(name), body, signedAt, clock()]
      const { changes } = await write(() => statements.insert.run(...row))
      if (changes !== 0) return 'stored'
      // What it repeats may be another process's, committed but not synced yet; a write that changed nothing syncs nothing.
      await syncLog(database)
      return 'duplicate'
    },
    async recover() {
      requireTurn()
      const dead = await write(() =>
        allOrNothing(database, () => {
          const rows = statements.giveUp.all(LAST_ATTEMPT_UNENDED, policy.maxAttempts)
          statements.putBack.run()
          return rows
        }),
      )
      return dead.map(entryOf)
    },
    async claim(limit, now) {
      requireTurn()
      let rows: Row[] = []
      try {
        await write(() => {
          for (const { id, attempts, due_at: dueAt, last_error: lastError } of inDoubt) {
            statements.settle.run('pending', dueAt, lastError, id, attempts)
          }
          rows = statements.claim.all(now, limit)
        })
        inDoubt = []
      } catch (error) {
        inDoubt = [...inDoubt, ...rows]
        throw error
      }
      // RETURNING promises no order.
      return rows.toSorted((a, b) => a.due_at - b.due_at || a.id - b.id).map(entryOf)
    },
    async complete(entry, transact) {
      await write(() => {
        if (transact === undefined) return settle(entry, 'done', 0, null)
        allOrNothing(database, () => {
          settle(entry, 'done', 0, null)
          refusePromise(transact(database))
        })
      })
    },
    async fail(entry, reason) {
      const after = afterFailure(policy, entry.attempts, clock())
      const dueAt = after.state === 'pending' ? after.dueAt : 0
      await write(() => settle(entry, after.state, dueAt, toColumn(reason)))
      return after
    },
    async get(id) {
      const row = isId(id) ? statements.get.get(id) : undefined
      return row && entryOf(row)
    },
    async list({ state, limit = 100 }) {
      const rows = state === 'done' ? statements.listDone.all(limit) : statements.listOpen.all(state, limit)
      return rows.map(entryOf)
    },
    async retry(id) {
      if (!isId(id)) return false
      const { changes } = await write(() => statements.retry.run(id))
      return changes === 1
    },
    async purge(before) {
      let purged = 0
      let portion = PURGE_PORTION
      while (portion === PURGE_PORTION && !closing.signal.aborted) {
        portion = Number((await write(() => statements.purge.run(before, PURGE_PORTION))).changes)
        purged += portion
        // A turn for those who came while this portion was deleted.
        await nextTurn()
      }
      return purged
    },
    async depth(now) {
      return depthOf(statements, now)
    },
    async check() {
      await write(() => writeNothing(database)).catch((error: unknown) => {
        throw storeError(error, path)
      })
    },
    async close() {
      closing.abort()
      endCheckpoints()
      // Whatever was asked for before is written first; if it fails, that is told to those who asked.
      await write(() => undefined).catch(() => {})
      try {
        closeDatabase(database)
      } finally {
        lock.release()
      }
    },
  }
}

/** SQLite itself would take `01` and `1e0` for 1. */
const isId = (id: string): boolean => /^[1-9]\d*$/.test(id)

function refusePromise(returned: unknown): void {
  if (typeof (returned as { then?: unknown } | null | undefined)?.then !== 'function') return
  // Nobody will wait for it, and so nobody would hear of its failure: a rejection nobody hears ends the process.
  Promise.resolve(returned).catch(() => {})
  throw new TypeError(
    'transact: returned a promise, which a SQLite transaction can not wait for. Make it synchronous, or use handle.',
  )
}
