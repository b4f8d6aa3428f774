import type { Pool, PoolClient, QueryResultRow } from 'pg'
import PgBoss from 'pg-boss'
import { InboxError } from '../../inbox.ts'
import type { RetryPolicy } from '../retries.ts'
import { toColumn } from '../text.ts'
import type { Connection } from './connection.ts'
import { QUEUE } from './names.ts'
import { numberOf } from './numbers.ts'
import { OTHER_PGBOSS, type Prepared, passing, prepared, storingWithJobs, taking } from './pgboss.ts'
import { lockStart, QUEUE_FORMAT } from './schema.ts'

export interface QueueOptions {
  connection: Connection
  /** The schema of the queue's tables. */
  schema: string
  retries: RetryPolicy
  /** After so many seconds an attempt counts as abandoned, and the entry is anybody's. */
  takeOverAfterSeconds: number
}

/** A job is called by the id of the entry that it is for. */
export interface Queue {
  /**
   * Adds jobs that are due at once, in one statement with that which stores their entries: `storing` makes that out of
   * the number of its first parameter, and it returns `id` and `number`. Answers the rows that it returned.
   */
  addFor<Row extends QueryResultRow>(
    storing: (first: number) => string,
    values: readonly unknown[],
  ): Promise<Row[]>
  /**
   * Takes up to `limit` jobs that are due at `now` (milliseconds), first due first; nobody else gets them. Answers what
   * `select` makes of them, from the name under which they are known to it.
   */
  take<Row extends QueryResultRow>(
    limit: number,
    now: number,
    select: (taken: string) => string,
  ): Promise<Row[]>
  /** Ends the attempts that are under way: each job is due again from `dueAt` on (milliseconds, 0 is at once), or failed for good. */
  fail(client: PoolClient, ids: readonly string[], reason: string, dueAt: number): Promise<void>
  /** Brings a job that failed for good back to life, in the client's transaction. */
  revive(client: PoolClient, id: string): Promise<void>
  /** Ends the attempts that have gone on for too long, whoever made them. */
  expire(): Promise<void>
  stop(): Promise<void>
}

/** Jobs that are due at once are due a millisecond apart from here on, so that they come in the order of their ids. */
const AT_ONCE = Date.UTC(1900)

/** The same, as pg-boss takes it, of an entry's number. */
const START = `to_char(timestamp '1900-01-01' + number * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** pg-boss archives what nobody took for 14 days, and deletes what failed after 7: it must never do that here. */
const NEVER = '9999-12-31T23:59:59Z'
const LIFETIME_SECONDS = 2_000_000_000

/**
 * Opens the queue, which is pg-boss's: it makes its own tables, and keeps who has which job, for which attempt.
 * @throws InboxError if the database or the installed pg-boss can not be used.
 */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { connection, schema, retries, takeOverAfterSeconds } = options
  const { pool, told, transaction } = connection
  const boss = new PgBoss({
    db: executor(pool),
    schema,
    schedule: false,
    maintenanceIntervalSeconds: Math.max(1, Math.min(30, Math.floor(takeOverAfterSeconds / 4))),
    // Of what failed, too.
    archiveCompletedAfterSeconds: LIFETIME_SECONDS,
  })
  // Of its upkeep only, which it tries again; an event called error that nobody hears ends the process.
  boss.on('error', () => {})
  await transaction(async (client) => {
    // pg-boss's own start fails, or waits without end, when several make its tables or a queue at once.
    await told(lockStart(client, schema))
    const maker = new PgBoss({ db: withinTransaction(client), schema, schedule: false, supervise: false })
    await told(maker.start())
    if ((await told(maker.getQueue(QUEUE))) === null) await told(maker.createQueue(QUEUE))
  })
  try {
    await told(boss.start())
    if (Number(await told(boss.schemaVersion())) !== QUEUE_FORMAT) throw new InboxError(OTHER_PGBOSS)
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }

  const job = {
    name: QUEUE,
    keepUntil: NEVER,
    retryLimit: retries.maxAttempts - 1,
    retryDelay: 0,
    expireInSeconds: takeOverAfterSeconds,
  }
  let accepting: Prepared | undefined

  return {
    addFor: (storing, values) =>
      passing(
        (db) => boss.insert([job], { db }),
        (text, given) => {
          accepting ??= prepared(storingWithJobs(text, storing(given.length + 1), START))
          return pool.query({ ...accepting, values: [...given, ...values] })
        },
      ),
    take: (limit, now, select) =>
      passing(
        (db) => boss.fetch(QUEUE, { batchSize: limit, includeMetadata: true, priority: false, db }),
        (text, given) => {
          return pool.query(taking(text, select), [...given, new Date(now)])
        },
      ),
    async fail(client, ids, reason, dueAt) {
      for (const id of ids) {
        await boss.fail(QUEUE, id, { reason: toColumn(reason) }, { db: executor(client) })
        // Its own back-off knows whole seconds, a random part and no longest wait; the receiver's policy is exact.
        await client.query(
          `UPDATE ${schema}.job SET start_after = $3 WHERE name = $1 AND id = $2 AND state = 'retry'`,
          [QUEUE, id, whenDue(id, dueAt)],
        )
      }
    },
    async revive(client, id) {
      await boss.retry(QUEUE, id, { db: executor(client) })
      await client.query(
        `UPDATE ${schema}.job SET retry_count = 0, retry_limit = $3, started_on = NULL, completed_on = NULL,
           start_after = $4 WHERE name = $1 AND id = $2`,
        [QUEUE, id, retries.maxAttempts - 1, whenDue(id)],
      )
    },
    expire: () => told(boss.expire()),
    stop: () => boss.stop({ graceful: false }),
  }
}

/** The time that a job is put off to, in milliseconds; 0 is at once. */
const whenDue = (id: string, dueAt = 0): Date => new Date(dueAt || AT_ONCE + Number(numberOf(id)))

/** pg-boss's own transactions, made a part of the client's. */
const withinTransaction = (client: PoolClient): PgBoss.Db => ({
  executeSql: (text, values) =>
    client.query(text.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, ''), values),
})

const executor = (target: Pool | PoolClient): PgBoss.Db => ({
  executeSql: (text, values) => target.query(text, values),
})
