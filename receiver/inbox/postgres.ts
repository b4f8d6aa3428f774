import { createHash, randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { deduplicationKey, type Entry, type Inbox, LostAttemptError } from '../inbox.ts'
import { requirePositiveIntegers } from '../shared/options.ts'
import { toBuffer } from './bytes.ts'
import { inBatches, limitConcurrency } from './postgres/batches.ts'
import { connectionOf } from './postgres/connection.ts'
import { readsOf } from './postgres/reader.ts'
import { createTables, plainName } from './postgres/schema.ts'
import { statementsIn } from './postgres/statements.ts'
import { afterFailure, LAST_ATTEMPT_INTERRUPTED, type RetryPolicy, retryPolicy } from './retries.ts'
import { claimedEntries, entryOf, isId, type Row } from './rows.ts'
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
  /** The schema of the tables. */
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

/** Rows per DELETE: small enough that other writers hardly wait. */
const PURGE_BATCH = 500

/**
 * An inbox in a Postgres database, for any number of receivers: any of them may handle what another accepted, and no two
 * handle one entry at once. The transaction is a client of the pool, and `transact` may be asynchronous. The inbox creates
 * its tables in a schema of their own. SPEC.md 6 and 7.
 * @throws InboxError if the database cannot be used (it is then left unchanged); TypeError if a number is not an integer
 * of at least 1, or if the schema is not a plain name.
 */
export async function postgresInbox(options: PostgresInboxOptions): Promise<Inbox<PoolClient>> {
  const { pool, retries, clock = Date.now, takeOverAfterSeconds = 120 } = options
  const policy = retryPolicy(retries)
  requirePositiveIntegers({ takeOverAfterSeconds })
  const schema = plainName(options.schema ?? 'hookproof')
  const connection = connectionOf(pool)
  const { query, transaction } = connection
  await createTables(connection, schema)
  const statements = statementsIn(schema)
  const receiver = randomUUID()
  const limited = limitConcurrency(Math.max(1, pool.options.max - RESERVED_CONNECTIONS))
  const closing = new AbortController()
  const expireEveryMs = 1000 * Math.max(1, Math.min(30, Math.floor(takeOverAfterSeconds / 4)))
  let nextExpiry = performance.now() + expireEveryMs
  let nextRelease = 0
  let checking: Promise<unknown> | undefined

  // Prepared once per connection, because a sender waits for it.
  const accepting = { name: `hookproof_accept_${schema}`, text: statements.accept }
  const batches = inBatches(async (batch: NewRow[]) => {
    const columns = COLUMNS.map((name) => batch.map((row) => row[name]))
    const { rows } = await query<{ key: string }>(accepting, columns)
    return new Set(rows.map(({ key }) => key))
  })

  /** Ends an attempt. @throws LostAttemptError if it is not the current one */
  async function settle(entry: Entry, values: unknown[], client?: PoolClient): Promise<void> {
    const { rowCount } = await query(statements.settle, [entry.id, entry.attempts, ...values], client)
    if (rowCount !== 1) throw new LostAttemptError(entry)
  }

  /** Ends the attempts that any receiver has abandoned, and all of the given receiver. Resolves to the entries that are dead. */
  async function requeue(of?: string): Promise<Entry[]> {
    const values = [takeOverAfterSeconds, of, policy.maxAttempts, LAST_ATTEMPT_INTERRUPTED]
    const { rows } = await query<Row>(statements.requeue, values)
    return rows.map(entryOf).filter(({ state }) => state === 'dead')
  }

  /** One at a time, so that checks that wait for a lock do not use up the connections. */
  async function check(): Promise<void> {
    checking ??= query(statements.check).finally(() => {
      checking = undefined
    })
    await checking
  }

  await check()
  return {
    ...readsOf(connection, schema),
    async accept(delivery) {
      const { paymentId, name, body, signedAt } = delivery
      const key = deduplicationKey(delivery)
      return batches.accept({
        key_hash: createHash('sha256').update(key).digest(),
        key,
        payment_id: toColumn(paymentId),
        event: toColumn(name),
        body: toBuffer(body),
        signed_at: signedAt,
        received_at: clock(),
      })
    },
    recover: () => requeue(receiver),
    async expire() {
      if (performance.now() < nextExpiry) return []
      nextExpiry = performance.now() + expireEveryMs
      return requeue()
    },
    async claim(limit, now) {
      if (performance.now() >= nextRelease) {
        await query(statements.releaseDelayed, [policy.maxDelayMs])
        nextRelease = performance.now() + RELEASE_EVERY_MS
      }
      const { rows } = await query<Row>(statements.claim, [now, limit, receiver])
      return claimedEntries(rows)
    },
    async complete(entry, transact) {
      const done = ['done', 0, null]
      if (transact === undefined) return limited(() => settle(entry, done))
      await limited(() =>
        transaction(async (client) => {
          await settle(entry, done, client)
          await transact(client)
        }),
      )
    },
    async fail(entry, reason) {
      const after = afterFailure(policy, entry.attempts, clock())
      const dueAt = after.state === 'pending' ? after.dueAt : 0
      await limited(() => settle(entry, [after.state, dueAt, toColumn(reason)]))
      return after
    },
    async retry(id) {
      if (!isId(id)) return false
      const { rowCount } = await query(statements.retry, [id])
      return rowCount === 1
    },
    async purge(before) {
      let purged = 0
      let deleted = PURGE_BATCH
      while (deleted === PURGE_BATCH && !closing.signal.aborted) {
        const { rowCount } = await query(statements.purge, [before, PURGE_BATCH])
        deleted = rowCount ?? 0
        purged += deleted
      }
      return purged
    },
    check,
    async close() {
      closing.abort()
      await batches.drain()
    },
  }
}

/** An event as it is stored. Its text is encoded by `toColumn`. */
interface NewRow {
  readonly key_hash: Buffer
  readonly key: string
  readonly payment_id: string
  readonly event: string
  readonly body: Buffer
  readonly signed_at: number
  readonly received_at: number
}

const COLUMNS = ['key_hash', 'key', 'payment_id', 'event', 'body', 'signed_at', 'received_at'] as const
