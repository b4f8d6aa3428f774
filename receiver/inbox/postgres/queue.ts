import type { Pool, PoolClient, QueryResultRow } from 'pg'
import PgBoss from 'pg-boss'
import { InboxError } from '../../inbox.ts'
import type { RetryPolicy } from '../retries.ts'
import { toColumn } from '../text.ts'
import type { Connection } from './connection.ts'
import { QUEUE } from './names.ts'
import { numberOf } from './numbers.ts'
import {
  fetchStatement,
  insertWithJobs,
  interceptStatement,
  OTHER_PGBOSS,
  type Prepared,
  prepared,
} from './pgboss.ts'
import { lockStart, QUEUE_FORMAT } from './schema.ts'

export interface QueueOptions {
  connection: Connection
  /** The schema of the queue's tables. */
  schema: string
  retries: RetryPolicy
  /** After this many seconds an attempt counts as abandoned, and any receiver may take over the entry. */
  takeOverAfterSeconds: number
}

/** The queue of jobs. The id of a job is the id of its entry. */
export interface Queue {
  /**
   * Stores entries and adds a job for each, due at once, in one statement.
   * @param storing makes the statement that stores entries and returns `id` and `number`, given the number of its first parameter
   * @returns the rows that `storing` returned
   */
  insertWith<Row extends QueryResultRow>(
    storing: (first: number) => string,
    values: readonly unknown[],
  ): Promise<Row[]>
  /**
   * Fetches up to `limit` jobs that are due at `now` (Unix time in milliseconds), earliest due first, for this receiver
   * only.
   * @param select makes a SELECT from the name of the relation of fetched jobs
   * @returns the rows of that SELECT
   */
  fetch<Row extends QueryResultRow>(
    limit: number,
    now: number,
    select: (fetched: string) => string,
  ): Promise<Row[]>
  /** Ends unfinished attempts: each job becomes due at `dueAt` (Unix time in milliseconds; 0 is at once), or has failed permanently. */
  fail(client: PoolClient, ids: readonly string[], reason: string, dueAt: number): Promise<void>
  /** Makes a permanently failed job due again, in the transaction of the client. */
  requeue(client: PoolClient, id: string): Promise<void>
  /**
   * Makes retries due that were scheduled by a clock that was ahead: those that have waited for the longest delay, and
   * would wait for longer than that again. Measured by the clock of the database, because receivers with different clocks
   * would otherwise shorten each other's delays.
   */
  releaseDelayed(): Promise<void>
  /** Ends the abandoned attempts of all receivers. */
  expire(): Promise<void>
  /** The same, unless a receiver did so recently. @returns whether this one did */
  expireInTurn(): Promise<boolean>
  stop(): Promise<void>
}

/** Jobs that are due at once start at this time plus one millisecond per entry number, so they are fetched in id order. */
const DUE_NOW = Date.UTC(1900)

/** The same start time as a SQL expression of the entry number, in the format of pg-boss. */
const START = `to_char(timestamp '1900-01-01' + number * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** When the maintenance of a pg-boss may archive a job. */
const NEVER = '9999-12-31T23:59:59Z'

/** How often to look for abandoned attempts, in milliseconds. */
export const expireEveryMs = (takeOverAfterSeconds: number): number =>
  1000 * Math.max(1, Math.min(30, Math.floor(takeOverAfterSeconds / 4)))

/**
 * Opens the pg-boss queue. pg-boss creates its own tables and tracks which receiver has which job, in which attempt.
 * @throws InboxError if the database or the installed pg-boss cannot be used.
 */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { connection, schema, retries, takeOverAfterSeconds } = options
  const { pool, orInboxError, transaction } = connection
  const boss = new PgBoss({
    db: executor(pool),
    schema,
    schedule: false,
    // Its timer would keep the process running, and it would not say which jobs have failed.
    supervise: false,
  })
  // Its calls report their errors; without a listener an error event would crash the process.
  boss.on('error', () => {})
  await transaction(async (client) => {
    // pg-boss fails or deadlocks when several processes create its tables or a queue at once.
    await orInboxError(lockStart(client, schema))
    const installer = new PgBoss({ db: withinTransaction(client), schema, schedule: false, supervise: false })
    await orInboxError(installer.start())
    if ((await orInboxError(installer.getQueue(QUEUE))) === null)
      await orInboxError(installer.createQueue(QUEUE))
  })
  try {
    await orInboxError(boss.start())
    if (Number(await orInboxError(boss.schemaVersion())) !== QUEUE_FORMAT) throw new InboxError(OTHER_PGBOSS)
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
  // If Postgres crashes and forgets this, it happens again. So its commit may be asynchronous.
  const expire = (): Promise<void> => orInboxError(boss.expire())

  return {
    insertWith: (storing, values) =>
      interceptStatement(
        (db) => boss.insert([job], { db }),
        (text, given) => {
          accepting ??= prepared(insertWithJobs(text, storing(given.length + 1), START))
          return pool.query({ ...accepting, values: [...given, ...values] })
        },
      ),
    fetch: (limit, now, select) =>
      interceptStatement(
        (db) => boss.fetch(QUEUE, { batchSize: limit, includeMetadata: true, priority: false, db }),
        (text, given) => {
          return pool.query(fetchStatement(text, select), [...given, new Date(now)])
        },
      ),
    async fail(client, ids, reason, dueAt) {
      for (const id of ids) {
        await boss.fail(QUEUE, id, { reason: toColumn(reason) }, { db: executor(client) })
        // pg-boss's back-off has whole seconds, jitter and no maximum; the receiver's policy is exact.
        await client.query(
          `UPDATE ${schema}.job SET start_after = $3 WHERE name = $1 AND id = $2 AND state = 'retry'`,
          [QUEUE, id, startTime(id, dueAt)],
        )
      }
    },
    async requeue(client, id) {
      await boss.retry(QUEUE, id, { db: executor(client) })
      await client.query(
        `UPDATE ${schema}.job SET retry_count = 0, retry_limit = $3, started_on = NULL, completed_on = NULL,
           start_after = $4 WHERE name = $1 AND id = $2`,
        [QUEUE, id, retries.maxAttempts - 1, startTime(id)],
      )
    },
    async releaseDelayed() {
      await pool.query(
        `UPDATE ${schema}.job SET start_after = to_timestamp(0)
         WHERE name = $1 AND state = 'retry' AND start_after > now() + $2 * interval '1 millisecond'
           AND started_on < now() - $2 * interval '1 millisecond'`,
        [QUEUE, retries.maxDelayMs],
      )
    },
    expire,
    async expireInTurn() {
      // As the maintenance of pg-boss does, which may be that of another version of this program.
      const { rowCount } = await orInboxError(
        pool.query(
          `UPDATE ${schema}.version SET maintained_on = now()
           WHERE maintained_on IS NULL OR maintained_on < now() - $1 * interval '1 millisecond'`,
          [expireEveryMs(takeOverAfterSeconds)],
        ),
      )
      if (rowCount !== 1) return false
      await expire()
      return true
    },
    stop: () => boss.stop({ graceful: false }),
  }
}

/** The start time of a job. @param dueAt Unix time in milliseconds; 0 is at once */
const startTime = (id: string, dueAt = 0): Date => new Date(dueAt || DUE_NOW + Number(numberOf(id)))

/** Runs pg-boss's statements, without their BEGIN and COMMIT, in the transaction of the client. */
const withinTransaction = (client: PoolClient): PgBoss.Db => ({
  executeSql: (text, values) =>
    client.query(text.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, ''), values),
})

const executor = (target: Pool | PoolClient): PgBoss.Db => ({
  executeSql: (text, values) => target.query(text, values),
})
