import type { Pool, PoolClient } from 'pg'
import type { Depth, Entry, EntryState } from '../../inbox.ts'
import { toColumn } from '../text.ts'
import { DURABLE } from './durable.ts'
import { QUEUE, type Schema } from './names.ts'
import type { Queue } from './queue.ts'
import { type EntryRow, entryOf, JOB_STATES, selectEntries, selectFetched } from './rows.ts'

/** An event as it is stored. Its text fields are encoded by `toColumn`. */
export interface NewRow {
  readonly key: string
  readonly keyHash: Buffer
  readonly paymentId: string
  readonly event: string
  readonly body: Buffer
  readonly signedAt: number
  readonly receivedAt: number
}

/** An unfinished attempt: the UUID of its entry, and its number, counted from 1. */
export interface Attempt {
  readonly id: string
  readonly attempts: number
}

/** A client runs statements in its transaction; a pool runs each in its own. */
type Target = Pool | PoolClient

/** The statements that only read. */
export interface ReadStatements {
  /** Earliest due first. */
  entries(target: Target, ids: readonly string[]): Promise<Entry[]>
  list(target: Target, state: EntryState, limit: number): Promise<Entry[]>
  depth(target: Target, now: number): Promise<Depth>
}

/** Every statement on the inbox table, and those on the queue's tables that pg-boss does not provide. */
export interface Statements extends ReadStatements {
  /** Stores new events, with a job for each. Resolves to the hashes of the keys that were new. */
  accept(rows: readonly NewRow[]): Promise<Buffer[]>
  /** Claims up to `limit` entries that are due at `now` (Unix time in milliseconds), earliest due first. */
  claim(limit: number, now: number): Promise<Entry[]>
  /**
   * Marks the entry as handled and deletes its job, in the transaction of the client if there is one. False if that
   * attempt is not the current one.
   */
  complete(attempt: Attempt, client?: PoolClient): Promise<boolean>
  /**
   * Locks those attempts that are current until the end of the transaction, and sets the maximum number of attempts.
   * Resolves to the ids of their entries.
   */
  lockAttempts(client: PoolClient, attempts: readonly Attempt[], maxAttempts: number): Promise<string[]>
  /**
   * Marks up to `limit` dead entries whose last attempt was abandoned as reported, with this reason. Resolves to their ids;
   * skips those that another receiver is marking.
   */
  markReported(client: PoolClient, reason: string, limit: number): Promise<string[]>
  /** Locks the job of a dead entry until the end of the transaction. False if there is none. */
  lockDead(client: PoolClient, id: string): Promise<boolean>
  /** Deletes up to `limit` handled entries that were accepted before a Unix time in milliseconds. */
  purge(target: Target, before: number, limit: number): Promise<number>
  /**
   * Commits a write that changes nothing and waits for the disk, and for the locks that storing an event needs. False if the queue does not exist: a stored row would then get no job.
   */
  writeNothing(target: Target): Promise<boolean>
}

interface DepthRow {
  pending: number
  processing: number
  dead: number
  oldest: string | null
}

const COLUMN_TYPES = ['bytea', 'text', 'text', 'text', 'bytea', 'bigint', 'bigint']

export function prepareReads(schema: Schema): ReadStatements {
  const inbox = `${schema.ours}.inbox`
  const job = `${schema.queue}.job`
  const entries = selectEntries(schema)
  return {
    async entries(target, ids) {
      const { rows } = await target.query<EntryRow>(
        `${entries} WHERE e.id = ANY ($1) ORDER BY j.start_after, e.id`,
        [ids],
      )
      return rows.map(entryOf)
    },
    async list(target, state, limit) {
      const { rows } =
        state === 'done'
          ? await target.query<EntryRow>(`${entries} WHERE e.handled_in IS NOT NULL ORDER BY e.id LIMIT $1`, [
              limit,
            ])
          : await target.query<EntryRow>(
              `${entries} WHERE j.state::text = ANY ($2::text[]) ORDER BY e.id LIMIT $1`,
              [limit, JOB_STATES[state]],
            )
      return rows.map(entryOf)
    },
    async depth(target, now) {
      const { rows } = await target.query<DepthRow>(
        `SELECT count(*) FILTER (WHERE state < 'active')::int AS pending,
                count(*) FILTER (WHERE state = 'active')::int AS processing,
                count(*) FILTER (WHERE state > 'active')::int AS dead,
                (SELECT e.received_at FROM ${job} j JOIN ${inbox} e ON e.id = j.id
                 WHERE j.name = $1 AND j.state < 'active' ORDER BY j.id LIMIT 1) AS oldest
         FROM ${job} WHERE name = $1`,
        [QUEUE],
      )
      const { pending = 0, processing = 0, dead = 0, oldest = null } = rows[0] ?? {}
      const oldestPendingMs = oldest === null ? undefined : now - Number(oldest)
      return { pending, processing, dead, oldestPendingMs }
    },
  }
}

export function prepareStatements(pool: Pool, schema: Schema, queue: Queue): Statements {
  const inbox = `${schema.ours}.inbox`
  const job = `${schema.queue}.job`
  const completing = `
    WITH ended AS (
      DELETE FROM ${job} WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 - 1 RETURNING id
    )
    UPDATE ${inbox} e SET handled_in = $3 FROM ended WHERE e.id = ended.id`
  // The transaction of a client waits for the disk already.
  const completingAlone = `${completing} AND ${DURABLE}`

  return {
    ...prepareReads(schema),
    async accept(rows) {
      const column = <Name extends keyof NewRow>(name: Name) => rows.map((row) => row[name])
      const stored = await queue.insertWith<{ key_hash: Buffer }>(
        (first) => `
          INSERT INTO ${inbox} (key_hash, key, payment_id, event, body, signed_at, received_at)
          SELECT * FROM unnest(${COLUMN_TYPES.map((type, at) => `$${first + at}::${type}[]`).join(', ')}) WHERE ${DURABLE}
          ON CONFLICT (key_hash) DO NOTHING RETURNING id, number, key_hash`,
        [
          column('keyHash'),
          column('key'),
          column('paymentId'),
          column('event'),
          column('body'),
          column('signedAt'),
          column('receivedAt'),
        ],
      )
      return stored.map(({ key_hash: hash }) => hash)
    },
    async claim(limit, now) {
      const rows = await queue.fetch<EntryRow>(limit, now, (fetched) => selectFetched(schema, fetched))
      return rows.map(entryOf)
    },
    async complete({ id, attempts }, client) {
      const values = [QUEUE, id, attempts]
      const { rowCount } = await (client
        ? client.query(completing, values)
        : pool.query(completingAlone, values))
      return rowCount === 1
    },
    async lockAttempts(client, attempts, maxAttempts) {
      const { rows } = await client.query<{ id: string }>(
        `UPDATE ${job} j SET retry_limit = $4 FROM unnest($2::uuid[], $3::int[]) AS given (id, attempts)
         WHERE j.name = $1 AND j.id = given.id AND j.state = 'active' AND j.retry_count = given.attempts - 1
         RETURNING j.id`,
        [QUEUE, attempts.map(({ id }) => id), attempts.map(({ attempts }) => attempts), maxAttempts - 1],
      )
      return rows.map(({ id }) => id)
    },
    async markReported(client, reason, limit) {
      // Until then, the output of such a job is that of pg-boss, without a reason.
      const { rows } = await client.query<{ id: string }>(
        `UPDATE ${job} SET output = jsonb_build_object('reason', $2::text) WHERE name = $1 AND id IN (
           SELECT id FROM ${job} WHERE name = $1 AND state = 'failed' AND output IS NOT NULL AND NOT output ? 'reason'
           ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
         ) RETURNING id`,
        [QUEUE, toColumn(reason), limit],
      )
      return rows.map(({ id }) => id)
    },
    async lockDead(client, id) {
      const { rowCount } = await client.query(
        `SELECT 1 FROM ${job} WHERE name = $1 AND id = $2 AND state = 'failed' FOR UPDATE`,
        [QUEUE, id],
      )
      return rowCount === 1
    },
    async purge(target, before, limit) {
      // Skips rows that another receiver is deleting.
      const { rowCount } = await target.query(
        `DELETE FROM ${inbox} WHERE id IN (
           SELECT id FROM ${inbox} WHERE received_at < $1 AND handled_in IS NOT NULL
           ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
         )`,
        [before, limit],
      )
      return rowCount ?? 0
    },
    async writeNothing(target) {
      const { rowCount } = await target.query(
        `WITH written AS (UPDATE ${schema.ours}.format SET version = version WHERE ${DURABLE}),
           inbox AS (UPDATE ${inbox} SET handled_in = NULL WHERE false),
           job AS (UPDATE ${job} SET data = NULL WHERE false)
         SELECT 1 FROM ${schema.queue}.queue WHERE name = $1`,
        [QUEUE],
      )
      return rowCount === 1
    },
  }
}
