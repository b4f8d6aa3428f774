import { deduplicationKey, type Entry, type EntryState, type Inbox } from '../inbox.ts'
import { writerOf } from './batch.ts'
import { closeDatabase, type Database, fromColumn, openDatabase, toColumn } from './database.ts'

export { sqliteLedger } from '../ledger/sqlite.ts'
export type { Database } from './database.ts'

export interface SqliteInbox extends Inbox {
  /** The open database, for a ledger or tables of your own in the same file. */
  readonly database: Database
}

interface Row {
  id: number
  key: string
  payment_id: string
  event: string
  body: Uint8Array
  signed_at: number
  received_at: number
  state: EntryState
  attempts: number
  due_at: number
  last_error: string | null
}

/**
 * An inbox in a SQLite file, for one receiver on one machine: what it has accepted outlives a crash and a power cut.
 * @param options.path the file; made if absent, in a folder that exists
 * @param options.clock now, in milliseconds
 * @throws InboxError if the file can not be used; it is then left as it was. SPEC.md 6 and 7.
 */
export async function sqliteInbox(options: { path: string; clock?: () => number }): Promise<SqliteInbox> {
  const { path, clock = Date.now } = options
  const database = await openDatabase(path)
  const write = writerOf(database)

  const insert = database.prepare(
    `INSERT INTO inbox (key, payment_id, event, body, signed_at, received_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (key) DO NOTHING`,
  )
  // "state <> 'done'" is repeated in each statement because it is what lets SQLite use the partial index.
  const recover = database.prepare(
    `UPDATE inbox SET state = 'pending' WHERE state <> 'done' AND state = 'processing'`,
  )
  const claim = database.prepare(
    `UPDATE inbox SET state = 'processing', attempts = attempts + 1 WHERE id IN (
       SELECT id FROM inbox WHERE state <> 'done' AND state = 'pending' AND due_at <= ? ORDER BY due_at, id LIMIT ?
     ) RETURNING *`,
  )
  const settle = database.prepare(`UPDATE inbox SET state = ?, due_at = ?, last_error = ? WHERE id = ?`)
  const listOpen = database.prepare(
    `SELECT * FROM inbox WHERE state <> 'done' AND state = ? ORDER BY id LIMIT ?`,
  )
  const listDone = database.prepare(`SELECT * FROM inbox WHERE state = 'done' ORDER BY id LIMIT ?`)
  const retry = database.prepare(
    `UPDATE inbox SET state = 'pending', attempts = 0, due_at = 0 WHERE id = ? AND state = 'dead'`,
  )

  return {
    database,
    async accept(delivery) {
      const { paymentId, name, body, signedAt } = delivery
      const row = [deduplicationKey(delivery), toColumn(paymentId), toColumn(name), body, signedAt, clock()]
      const { changes } = await write(() => insert.run(...row))
      return changes === 0 ? 'duplicate' : 'stored'
    },
    async recover() {
      await write(() => recover.run())
    },
    async claim(limit, now) {
      const rows: Row[] = await write(() => claim.all(now, limit))
      // RETURNING promises no order.
      return rows.toSorted((a, b) => a.due_at - b.due_at || a.id - b.id).map(entryOf)
    },
    async complete(id) {
      await write(() => settle.run('done', 0, null, id))
    },
    async retryLater(id, dueAt, error) {
      await write(() => settle.run('pending', dueAt, toColumn(error), id))
    },
    async giveUp(id, error) {
      await write(() => settle.run('dead', 0, toColumn(error), id))
    },
    async list({ state, limit = 100 }) {
      const rows: Row[] = state === 'done' ? listDone.all(limit) : listOpen.all(state, limit)
      return rows.map(entryOf)
    },
    async retry(id) {
      const { changes } = await write(() => retry.run(id))
      return changes === 1
    },
    async close() {
      // Whatever was asked for before is written first.
      await write(() => undefined)
      closeDatabase(database)
    },
  }
}

function entryOf(row: Row): Entry {
  return {
    id: String(row.id),
    idempotencyKey: row.key,
    paymentId: fromColumn(row.payment_id),
    name: fromColumn(row.event),
    body: Buffer.from(row.body.buffer, row.body.byteOffset, row.body.byteLength),
    signedAt: row.signed_at,
    receivedAt: row.received_at,
    state: row.state,
    attempts: row.attempts,
    dueAt: row.due_at,
    lastError: row.last_error === null ? undefined : fromColumn(row.last_error),
  }
}
