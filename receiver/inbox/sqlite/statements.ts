import type { Entry, EntryState } from '../../inbox.ts'
import { type DepthRow, entryOf, isId, type Row, selectDepth } from '../rows.ts'
import type { Database } from './driver.ts'

interface Run {
  run(...values: unknown[]): { changes: number | bigint }
}

interface Query<Result> {
  all(...values: unknown[]): Result[]
  get(...values: unknown[]): Result | undefined
}

/** The statements that only read; each comment lists its parameters. */
export interface ReadStatements {
  /** id */
  readonly get: Query<Row>
  /** state, limit */
  readonly listOpen: Query<Row>
  /** limit */
  readonly listDone: Query<Row>
  readonly depth: Query<DepthRow>
}

/** Every statement of the SQLite inbox; each comment lists its parameters. */
export interface Statements extends ReadStatements {
  /** key, payment_id, event, body, signed_at, received_at */
  readonly insert: Run
  /** last_error, the maximum number of attempts */
  readonly markDead: Query<Row>
  readonly requeueStale: Run
  /** the latest time at which an entry may be due, twice */
  readonly limitDue: Run
  /** now, limit */
  readonly claim: Query<Row>
  /** state, due_at, last_error, id, attempts */
  readonly settle: Run
  /** id */
  readonly retry: Run
  /** before, limit, maximum bytes of bodies before the last one */
  readonly purge: Run
}

// Each statement repeats "state <> 'done'", because SQLite needs it to use the partial index.

export const prepareReads = (database: Database): ReadStatements => ({
  get: database.prepare('SELECT * FROM inbox WHERE id = ?'),
  listOpen: database.prepare(`SELECT * FROM inbox WHERE state <> 'done' AND state = ? ORDER BY id LIMIT ?`),
  listDone: database.prepare(`SELECT * FROM inbox WHERE state = 'done' ORDER BY id LIMIT ?`),
  depth: database.prepare(selectDepth('inbox')),
})

/** Prepares the statements once, for as long as the database is open. */
export function prepareStatements(database: Database): Statements {
  return {
    ...prepareReads(database),
    insert: database.prepare(
      `INSERT INTO inbox (key, payment_id, event, body, signed_at, received_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO NOTHING`,
    ),
    markDead: database.prepare(
      `UPDATE inbox SET state = 'dead', due_at = 0, last_error = ?
       WHERE state <> 'done' AND state = 'processing' AND attempts >= ? RETURNING *`,
    ),
    requeueStale: database.prepare(
      `UPDATE inbox SET state = 'pending' WHERE state <> 'done' AND state = 'processing'`,
    ),
    limitDue: database.prepare(
      `UPDATE inbox SET due_at = ? WHERE state <> 'done' AND state = 'pending' AND due_at > ?`,
    ),
    claim: database.prepare(
      `UPDATE inbox SET state = 'processing', attempts = attempts + 1 WHERE id IN (
         SELECT id FROM inbox WHERE state <> 'done' AND state = 'pending' AND due_at <= ? ORDER BY due_at, id LIMIT ?
       ) RETURNING *`,
    ),
    settle: database.prepare(
      `UPDATE inbox SET state = ?, due_at = ?, last_error = ?
       WHERE id = ? AND state = 'processing' AND attempts = ?`,
    ),
    retry: database.prepare(
      `UPDATE inbox SET state = 'pending', attempts = 0, due_at = 0 WHERE id = ? AND state = 'dead'`,
    ),
    purge: database.prepare(
      `DELETE FROM inbox WHERE id IN (
         SELECT id FROM (
           SELECT id, sum(bytes) OVER (ORDER BY received_at, id) - bytes AS bytes_before FROM (
             SELECT id, received_at, length(body) AS bytes FROM inbox
             WHERE state = 'done' AND received_at < ? ORDER BY received_at LIMIT ?
           )
         ) WHERE bytes_before < ?
       )`,
    ),
  }
}

export function entryWith({ get }: ReadStatements, id: string): Entry | undefined {
  const row = isId(id) ? get.get(id) : undefined
  return row && entryOf(row)
}

/** The entries in one state, oldest first. */
export function entriesIn(
  { listDone, listOpen }: ReadStatements,
  { state, limit = 100 }: { state: EntryState; limit?: number },
): Entry[] {
  return (state === 'done' ? listDone.all(limit) : listOpen.all(state, limit)).map(entryOf)
}
