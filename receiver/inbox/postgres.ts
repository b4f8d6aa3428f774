import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { deduplicationKey, type Entry, type Inbox, InboxError, LostAttemptError } from '../inbox.ts'
import { requireWhole } from '../options.ts'
import { inBatches } from './postgres/batches.ts'
import { connectionOf } from './postgres/connection.ts'
import { goneText } from './postgres/missing-privileges.ts'
import { schemaOf } from './postgres/names.ts'
import { uuidOf } from './postgres/numbers.ts'
import { findLacks, namingLacks, requireNone } from './postgres/privileges.ts'
import { openQueue } from './postgres/queue.ts'
import { migrate } from './postgres/schema.ts'
import { type Attempt, type NewRow, prepareStatements } from './postgres/statements.ts'
import { afterFailure, LAST_ATTEMPT_UNENDED, type RetryPolicy, retryPolicy } from './retries.ts'
import { toColumn } from './text.ts'

export { postgresLedger } from '../ledger/postgres.ts'

export interface PostgresInboxOptions {
  /** Where the connections come from. It stays yours: `close` leaves it open. */
  pool: Pool
  retries?: Partial<RetryPolicy>
  /** Now, in milliseconds. */
  clock?: () => number
  /** The schema of the tables; the queue's are in one called the same and `_queue`. */
  schema?: string
  /**
   * After so many seconds an attempt that has not ended counts as abandoned, and another receiver takes the entry over.
   * More than your slowest handling takes, or two receivers may handle one event at once.
   */
  takeOverAfterSeconds?: number
}

/** Small enough that others who write hardly wait. */
const PURGE_PORTION = 500

/**
 * An inbox in a Postgres database, for any number of receivers: what one has accepted, any may handle, each entry one
 * at a time. The transaction that it hands out is a client of the pool, and `transact` may wait within it. It makes its
 * tables at the start, beside whatever else is in the database.
 * @throws InboxError if the database can not be used, and is then left as it was; TypeError for a number that is no
 * whole number above 0, or a schema that is no plain name. SPEC.md 6 and 7.
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
  requireWhole({ takeOverAfterSeconds })
  const schema = schemaOf(schemaName)
  const connection = connectionOf(pool)
  const { name, told } = connection
  await migrate(connection, schema)
  const queue = await openQueue({ connection, schema: schema.queue, retries: policy, takeOverAfterSeconds })
  const statements = prepareStatements(schema, queue)
  const named = namingLacks(connection, schema)
  const alone = <Result>(statement: Promise<Result>) => named(told(statement))
  const transaction: typeof connection.transaction = (work) => named(connection.transaction(work))
  const closing = new AbortController()
  /** The attempts under way in this process, by the id of the entry. */
  const mine = new Map<string, number>()

  const batches = inBatches(async (rows: NewRow[]) => {
    const stored = new Set((await alone(statements.accept(rows))).map((hash) => hash.toString('hex')))
    return new Set(rows.filter(({ keyHash }) => stored.has(keyHash.toString('hex'))).map(({ key }) => key))
  })

  function attemptOf({ id, attempts }: Entry): Attempt {
    const uuid = uuidOf(id)
    if (uuid === undefined) throw new LostAttemptError({ id, attempts })
    return { id: uuid, attempts }
  }

  /** Whatever becomes of the attempt: it is no longer this process's to put back. */
  function forget({ id, attempts }: Attempt): void {
    if (mine.get(id) === attempts) mine.delete(id)
  }

  async function check(): Promise<void> {
    requireNone(await told(findLacks(pool, schema)), schema, name)
    if (await alone(statements.writeNothing(pool))) return
    throw new InboxError(
      `inbox ${name}: ${goneText([`the row of the queue in ${schema.queue}.queue`], schema)}`,
    )
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
        body,
        signedAt,
        receivedAt: clock(),
      })
    },
    async recover() {
      // Those of receivers that died; this one's own may be put back at once.
      await named(queue.expire())
      const left = [...mine].map(([id, attempts]) => ({ id, attempts }))
      if (left.length === 0) return []
      const entries = await transaction(async (client) => {
        const ids = await told(statements.hold(client, left, policy.maxAttempts))
        if (ids.length === 0) return []
        await told(queue.fail(client, ids, LAST_ATTEMPT_UNENDED, 0))
        return told(statements.entries(client, ids))
      })
      left.forEach(forget)
      return entries.filter(({ state }) => state === 'dead')
    },
    async claim(limit, now) {
      const entries = await alone(statements.claim(limit, now))
      for (const { id, attempts } of entries.map(attemptOf)) mine.set(id, attempts)
      return entries
    },
    async complete(entry, transact) {
      const attempt = attemptOf(entry)
      const end = async (target: Pool | PoolClient): Promise<void> => {
        if (await told(statements.end(target, attempt))) return
        forget(attempt)
        throw new LostAttemptError(entry)
      }
      if (transact === undefined) await named(end(pool))
      else {
        await transaction(async (client) => {
          await end(client)
          await transact(client)
        })
      }
      forget(attempt)
    },
    async fail(entry, reason) {
      const attempt = attemptOf(entry)
      const after = afterFailure(policy, entry.attempts, clock())
      await transaction(async (client) => {
        const held = await told(statements.hold(client, [attempt], policy.maxAttempts))
        if (held.length === 0) {
          forget(attempt)
          throw new LostAttemptError(entry)
        }
        await told(queue.fail(client, held, reason, after.state === 'pending' ? after.dueAt : 0))
      })
      forget(attempt)
      return after
    },
    async get(id) {
      const uuid = uuidOf(id)
      if (uuid === undefined) return undefined
      const [entry] = await alone(statements.entries(pool, [uuid]))
      return entry
    },
    list: ({ state, limit = 100 }) => alone(statements.list(pool, state, limit)),
    async retry(id) {
      const uuid = uuidOf(id)
      if (uuid === undefined) return false
      return transaction(async (client) => {
        if (!(await told(statements.holdDead(client, uuid)))) return false
        await told(queue.revive(client, uuid))
        return true
      })
    },
    async purge(before) {
      let purged = 0
      let portion = PURGE_PORTION
      while (portion === PURGE_PORTION && !closing.signal.aborted) {
        portion = await alone(statements.purge(pool, before, PURGE_PORTION))
        purged += portion
      }
      return purged
    },
    depth: (now) => alone(statements.depth(pool, now)),
    check,
    async close() {
      closing.abort()
      await batches.drain()
      await queue.stop()
    },
  }
}
