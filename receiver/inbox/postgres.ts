import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { deduplicationKey, type Entry, type Inbox, InboxError, LostAttemptError } from '../inbox.ts'
import { requirePositiveIntegers } from '../shared/options.ts'
import { toBuffer } from './bytes.ts'
import { inBatches } from './postgres/batches.ts'
import { connectionOf } from './postgres/connection.ts'
import { limitConcurrency } from './postgres/limit.ts'
import { missingObjectsText } from './postgres/missing-privileges.ts'
import { schemaOf } from './postgres/names.ts'
import { uuidOf } from './postgres/numbers.ts'
import {
  explainingMissingPrivileges,
  findMissingPrivileges,
  requirePrivileges,
} from './postgres/privileges.ts'
import { expireEveryMs, openQueue } from './postgres/queue.ts'
import { migrate } from './postgres/schema.ts'
import { type Attempt, type NewRow, prepareStatements } from './postgres/statements.ts'
import { afterFailure, LAST_ATTEMPT_INTERRUPTED, type RetryPolicy, retryPolicy } from './retries.ts'
import { toColumn } from './text.ts'

export { postgresLedger } from '../ledger/postgres.ts'
export { nameOf } from './postgres/errors.ts'
export { openPool, type ReceiverPool } from './postgres/pool.ts'
export { type PostgresReaderOptions, readPostgresInbox } from './postgres/reader.ts'

export interface PostgresInboxOptions {
  /**
   * The connections, at least 6: all but 4 may run the transactions of `complete` and `fail` at the same time. The pool
   * stays yours: `close` leaves it open.
   */
  pool: Pool
  retries?: Partial<RetryPolicy>
  /** The current Unix time in milliseconds. */
  clock?: () => number
  /** The schema of the tables; the tables of the queue are in `<schema>_queue`. */
  schema?: string
  /**
   * After this many seconds an unfinished attempt counts as abandoned, and another receiver takes over the entry. It must
   * be longer than your slowest handling, or two receivers may handle one event at once.
   */
  takeOverAfterSeconds?: number
}

/**
 * Connections that processing leaves to deliveries, readiness checks and claims, even if all its transactions wait for a
 * lock.
 */
const RESERVED_CONNECTIONS = 4

/** How often to look for retries that were scheduled while a clock was wrong, in milliseconds. */
const RELEASE_EVERY_MS = 60_000

/** How many dead entries are reported at once, because their bodies are in memory. */
const REPORT_BATCH = 100

/** Rows per DELETE: small enough that other writers hardly wait. */
const PURGE_BATCH = 500

/**
 * An inbox in a Postgres database, for any number of receivers: any of them may handle what another accepted, and no two
 * handle one entry at once. The transaction is a client of the pool, and `transact` may be asynchronous. The inbox creates
 * its tables in separate schemas. SPEC.md 6 and 7.
 * @throws InboxError if the database cannot be used (it is then left unchanged); TypeError if a number is not an integer
 * of at least 1, or if the schema is not a plain name.
 */
export async function postgresInbox(options: PostgresInboxOptions): Promise<Inbox<PoolClient>> {
  const {
    pool,
    retries,
    clock = Date.now,
    schema: schemaName = 'hookproof',
    takeOverAfterSeconds = 120,
  } = options
  const policy = retryPolicy(retries)
  requirePositiveIntegers({ takeOverAfterSeconds })
  const schema = schemaOf(schemaName)
  const connection = connectionOf(pool)
  const { name, orInboxError } = connection
  await migrate(connection, schema)
  const queue = await openQueue({ connection, schema: schema.queue, retries: policy, takeOverAfterSeconds })
  const statements = prepareStatements(pool, schema, queue)
  const explained = explainingMissingPrivileges(connection, schema)
  const single = <Result>(statement: Promise<Result>) => explained(orInboxError(statement))
  const transaction: typeof connection.transaction = (work) => explained(connection.transaction(work))
  const limited = limitConcurrency(Math.max(1, pool.options.max - RESERVED_CONNECTIONS))
  const closing = new AbortController()
  /** The unfinished attempts of this process, by the id of the entry. */
  const ownAttempts = new Map<string, number>()
  let nextRelease = 0
  let nextExpiry = performance.now() + expireEveryMs(takeOverAfterSeconds)
  /** Whether there may be dead entries that nobody has reported. */
  let unreported = false
  let checking: Promise<void> | undefined

  const batches = inBatches(async (rows: NewRow[]) => {
    const stored = new Set((await single(statements.accept(rows))).map((hash) => hash.toString('hex')))
    return new Set(rows.filter(({ keyHash }) => stored.has(keyHash.toString('hex'))).map(({ key }) => key))
  })

  function attemptOf({ id, attempts }: Entry): Attempt {
    const uuid = uuidOf(id)
    if (uuid === undefined) throw new LostAttemptError({ id, attempts })
    return { id: uuid, attempts }
  }

  /** The attempt is over or lost: this process must not requeue it. */
  function forget({ id, attempts }: Attempt): void {
    if (ownAttempts.get(id) === attempts) ownAttempts.delete(id)
  }

  /** Marks dead entries as reported that no receiver has reported: their last attempt was abandoned. Resolves to their ids. */
  async function markReported(client: PoolClient): Promise<string[]> {
    const ids = await orInboxError(statements.markReported(client, LAST_ATTEMPT_INTERRUPTED, REPORT_BATCH))
    unreported = ids.length === REPORT_BATCH
    return ids
  }

  /** Ends unfinished attempts of this process, each of which is then due again or was the last. Resolves to their ids. */
  async function failOwn(client: PoolClient, left: readonly Attempt[]): Promise<string[]> {
    if (left.length === 0) return []
    const ids = await orInboxError(statements.lockAttempts(client, left, policy.maxAttempts))
    await orInboxError(queue.fail(client, ids, LAST_ATTEMPT_INTERRUPTED, 0))
    return ids
  }

  async function checkOnce(): Promise<void> {
    requirePrivileges(await orInboxError(findMissingPrivileges(pool, schema)), schema, name)
    if (await single(statements.writeNothing(pool))) return
    throw new InboxError(
      `inbox ${name}: ${missingObjectsText([`the row of the queue in ${schema.queue}.queue`], schema)}`,
    )
  }

  /** One at a time, so that checks that wait for a lock do not use up the connections. */
  function check(): Promise<void> {
    checking ??= checkOnce().finally(() => {
      checking = undefined
    })
    return checking
  }

  try {
    await check()
  } catch (error) {
    await queue.stop()
    throw error
  }

  return {
    async accept(delivery) {
      const { paymentId, name, body, signedAt } = delivery
      const key = deduplicationKey(delivery)
      return batches.accept({
        key,
        keyHash: createHash('sha256').update(key).digest(),
        paymentId: toColumn(paymentId),
        event: toColumn(name),
        body: toBuffer(body),
        signedAt,
        receivedAt: clock(),
      })
    },
    async recover() {
      // Abandoned attempts of other receivers; the attempts of this process can be requeued at once.
      await explained(queue.expire())
      const left = [...ownAttempts].map(([id, attempts]) => ({ id, attempts }))
      const entries = await transaction(async (client) => {
        const ids = [...(await failOwn(client, left)), ...(await markReported(client))]
        return ids.length === 0 ? [] : orInboxError(statements.entries(client, ids))
      })
      left.forEach(forget)
      return entries.filter(({ state }) => state === 'dead')
    },
    async expire() {
      if (!unreported) {
        if (performance.now() < nextExpiry) return []
        nextExpiry = performance.now() + expireEveryMs(takeOverAfterSeconds)
        if (!(await explained(queue.expireInTurn()))) return []
      }
      return transaction(async (client) => {
        const ids = await markReported(client)
        return ids.length === 0 ? [] : orInboxError(statements.entries(client, ids))
      })
    },
    async claim(limit, now) {
      if (performance.now() >= nextRelease) {
        await explained(orInboxError(queue.releaseDelayed()))
        nextRelease = performance.now() + RELEASE_EVERY_MS
      }
      const entries = await single(statements.claim(limit, now))
      for (const { id, attempts } of entries.map(attemptOf)) ownAttempts.set(id, attempts)
      return entries
    },
    async complete(entry, transact) {
      const attempt = attemptOf(entry)
      const finish = async (client?: PoolClient): Promise<void> => {
        if (await orInboxError(statements.complete(attempt, client))) return
        forget(attempt)
        throw new LostAttemptError(entry)
      }
      await limited(() =>
        transact === undefined
          ? explained(finish())
          : transaction(async (client) => {
              await finish(client)
              await transact(client)
            }),
      )
      forget(attempt)
    },
    async fail(entry, reason) {
      const attempt = attemptOf(entry)
      const after = afterFailure(policy, entry.attempts, clock())
      const recording = async (client: PoolClient): Promise<void> => {
        const locked = await orInboxError(statements.lockAttempts(client, [attempt], policy.maxAttempts))
        if (locked.length === 0) {
          forget(attempt)
          throw new LostAttemptError(entry)
        }
        await orInboxError(queue.fail(client, locked, reason, after.state === 'pending' ? after.dueAt : 0))
      }
      await limited(() => transaction(recording))
      forget(attempt)
      return after
    },
    async get(id) {
      const uuid = uuidOf(id)
      if (uuid === undefined) return undefined
      const [entry] = await single(statements.entries(pool, [uuid]))
      return entry
    },
    list: ({ state, limit = 100 }) => single(statements.list(pool, state, limit)),
    async retry(id) {
      const uuid = uuidOf(id)
      if (uuid === undefined) return false
      return transaction(async (client) => {
        if (!(await orInboxError(statements.lockDead(client, uuid)))) return false
        await orInboxError(queue.requeue(client, uuid))
        return true
      })
    },
    async purge(before) {
      let purged = 0
      let deleted = PURGE_BATCH
      while (deleted === PURGE_BATCH && !closing.signal.aborted) {
        deleted = await single(statements.purge(pool, before, PURGE_BATCH))
        purged += deleted
      }
      return purged
    },
    depth: (now) => single(statements.depth(pool, now)),
    check,
    async close() {
      closing.abort()
      await batches.drain()
      await queue.stop()
    },
  }
}
