import type { Pool, PoolClient } from 'pg'
import type { Depth, Entry, EntryState } from '../../inbox.ts'
import { QUEUE, type Schema } from './names.ts'
import type { Queue } from './queue.ts'
import { type EntryRow, entriesIn, entriesTaken, entryOf, JOB_STATES } from './rows.ts'

/** An event as it is stored; the text in columns, see `toColumn`. */
export interface NewRow {
  readonly key: string
  readonly keyHash: Buffer
  readonly paymentId: string
  readonly event: string
  readonly body: Buffer
  readonly signedAt: number
  readonly receivedAt: number
}

/** An attempt that is under way: of which entry, and which one it is, counted from 1. */
export interface Attempt {
  readonly id: string
  readonly attempts: number
}

/** Runs statements in a transaction, or each in one of its own. */
type Target = Pool | PoolClient

/** Every statement of the Postgres inbox on its own table, and those on the queue's that pg-boss has not. */
export interface Statements {
  /** Stores what is new, with a job for each; answers the hashes of the keys that were new. */
  accept(rows: readonly NewRow[]): Promise<Buffer[]>
  /** Takes up to `limit` entries that are due at `now` (milliseconds), first due first. */
  claim(limit: number, now: number): Promise<Entry[]>
  /** Makes the entry a handled one, and deletes its job. False if that attempt is not under way. */
  end(target: Target, attempt: Attempt): Promise<boolean>
  /**
   * Locks those of the attempts that are under way until the end of the transaction, and sets how many there may be.
   * Answers their ids.
   */
  hold(client: PoolClient, attempts: readonly Attempt[], maxAttempts: number): Promise<string[]>
  /** Locks the job of a dead entry until the end of the transaction. False if there is none. */
  holdDead(client: PoolClient, id: string): Promise<boolean>
  /** In the order in which they are due. */
  entries(target: Target, ids: readonly string[]): Promise<Entry[]>
  list(target: Target, state: EntryState, limit: number): Promise<Entry[]>
  /** Deletes up to `limit` of those that were handled and had been accepted before a Unix time in milliseconds. */
  purge(target: Target, before: number, limit: number): Promise<number>
  depth(target: Target, now: number): Promise<Depth>
  /** Commits a write that changes nothing. False if the queue is gone: a row that is stored then would get no job. */
  writeNothing(target: Target): Promise<boolean>
}

interface DepthRow {
  pending: number
  processing: number
  dead: number
  oldest: string | null
}

const COLUMN_TYPES = ['bytea', 'text', 'text', 'text', 'bytea', 'bigint', 'bigint']

export function prepareStatements(schema: Schema, queue: Queue): Statements {
  const inbox = `${schema.ours}.inbox`
  const job = `${schema.queue}.job`
  const entries = entriesIn(schema)

  return {
    async accept(rows) {
      const column = <Name extends keyof NewRow>(name: Name) => rows.map((row) => row[name])
      const stored = await queue.addFor<{ key_hash: Buffer }>(
        (first) => `
          INSERT INTO ${inbox} (key_hash, key, payment_id, event, body, signed_at, received_at)
          SELECT * FROM unnest(${COLUMN_TYPES.map((type, at) => `$${first + at}::${type}[]`).join(', ')})
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
      const rows = await queue.take<EntryRow>(limit, now, (taken) => entriesTaken(schema, taken))
      return rows.map(entryOf)
    },
    async end(target, { id, attempts }) {
      const { rowCount } = await target.query(
        `WITH ended AS (
           DELETE FROM ${job} WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 - 1 RETURNING id
         )
         UPDATE ${inbox} e SET handled_in = $3 FROM ended WHERE e.id = ended.id`,
        [QUEUE, id, attempts],
      )
      return rowCount === 1
    },
    async hold(client, attempts, maxAttempts) {
      const { rows } = await client.query<{ id: string }>(
        `UPDATE ${job} j SET retry_limit = $4 FROM unnest($2::uuid[], $3::int[]) AS held (id, attempts)
         WHERE j.name = $1 AND j.id = held.id AND j.state = 'active' AND j.retry_count = held.attempts - 1
         RETURNING j.id`,
        [QUEUE, attempts.map(({ id }) => id), attempts.map(({ attempts }) => attempts), maxAttempts - 1],
      )
      return rows.map(({ id }) => id)
    },
    async holdDead(client, id) {
      const { rowCount } = await client.query(
        `SELECT 1 FROM ${job} WHERE name = $1 AND id = $2 AND state = 'failed' FOR UPDATE`,
        [QUEUE, id],
      )
      return rowCount === 1
    },
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
    async purge(target, before, limit) {
      // Skips what another receiver is deleting just now.
      const { rowCount } = await target.query(
        `DELETE FROM ${inbox} WHERE id IN (
           SELECT id FROM ${inbox} WHERE received_at < $1 AND handled_in IS NOT NULL
           ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
         )`,
        [before, limit],
      )
      return rowCount ?? 0
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
    async writeNothing(target) {
      const { rowCount } = await target.query(
        `WITH written AS (UPDATE ${schema.ours}.format SET version = version)
         SELECT 1 FROM ${schema.queue}.queue WHERE name = $1`,
        [QUEUE],
      )
      return rowCount === 1
    },
  }
}
