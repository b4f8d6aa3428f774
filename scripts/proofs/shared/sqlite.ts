import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import type { LedgerEntry, Store, StoredEvent, StoredState } from './audit.ts'

/** Reads with SQLite itself, without the receiver's code. */
function read<T>(path: string, query: (database: DatabaseSyncInstance) => T): T {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return query(database)
  } finally {
    database.close()
  }
}

/** Every event of the inbox and every entry of the ledger in a file. */
export function storedStateOf(path: string): StoredState {
  return read(path, (database) => {
    const events: StoredEvent[] = database
      .prepare(
        `SELECT payment_id AS paymentId, event, CASE WHEN state IN ('done', 'dead') THEN state ELSE 'open' END AS state
         FROM inbox ORDER BY id`,
      )
      .all()
    const entries: LedgerEntry[] = database
      .prepare('SELECT payment_id AS paymentId, effect, amount, currency FROM ledger ORDER BY id')
      .all()
    return { events, entries }
  })
}

/** The bodies in the inbox of a file. */
export const storedBodies = (path: string): Buffer[] =>
  read(path, (database) =>
    database
      .prepare('SELECT body FROM inbox')
      .all()
      .map(({ body }: { body: Uint8Array }) => Buffer.from(body)),
  )

/** The problems that SQLite's integrity check reports; none for an intact file. */
export function integrityProblems(path: string): string[] {
  const rows: { integrity_check: string }[] = read(path, (database) =>
    database.prepare('PRAGMA integrity_check').all(),
  )
  return rows.map(({ integrity_check: result }) => result).filter((result) => result !== 'ok')
}

/** Waits until every event is processed. @returns how many are still open after `withinMs` milliseconds */
export async function waitUntilProcessed(path: string, withinMs = 30_000): Promise<number> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const open: number = read(
      path,
      (database) =>
        database.prepare(`SELECT count(*) AS open FROM inbox WHERE state IN ('pending', 'processing')`).get()
          .open,
    )
    if (open === 0 || Date.now() > deadline) return open
    await wait(100)
  }
}

/** The keys that can be read from the inbox of a damaged file, each as JSON of the payment id and the event. */
export function readableKeys(path: string): ReadonlySet<string> {
  const keys = new Set<string>()
  read(path, (database) => {
    // Through the index, and through the table from both ends: damage to one leaves the others readable.
    for (const scan of [
      'INDEXED BY sqlite_autoindex_inbox_1',
      'NOT INDEXED',
      'NOT INDEXED ORDER BY id DESC',
    ]) {
      try {
        for (const { key } of database.prepare(`SELECT key FROM inbox ${scan}`).iterate()) {
          const [paymentId, event]: unknown[] = JSON.parse(key)
          keys.add(JSON.stringify([paymentId, event]))
        }
      } catch {
        // The scan stops at the damage; what it has read so far counts.
      }
    }
  })
  return keys
}

/** A SQLite file as the store of receivers. */
export const sqliteStore = (path: string): Store => ({
  storedState: async () => storedStateOf(path),
  waitUntilProcessed: () => waitUntilProcessed(path),
  problems: () => integrityProblems(path),
})
