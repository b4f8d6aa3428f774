import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import type { BookedLine, Stored, StoredEvent } from './audit.ts'

/** Reads with SQLite itself, and none of the receiver's code. */
function read<T>(path: string, ask: (database: DatabaseSyncInstance) => T): T {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return ask(database)
  } finally {
    database.close()
  }
}

/** Every event and every line of the ledger in a file. */
export function storedIn(path: string): Stored {
  return read(path, (database) => {
    const events: StoredEvent[] = database
      .prepare(
        `SELECT payment_id AS paymentId, event, CASE WHEN state IN ('done', 'dead') THEN state ELSE 'open' END AS state
         FROM inbox ORDER BY id`,
      )
      .all()
    const lines: BookedLine[] = database
      .prepare('SELECT payment_id AS paymentId, effect, amount, currency FROM ledger ORDER BY id')
      .all()
    return { events, lines }
  })
}

/** The bodies in the inbox of a file. */
export const bodiesIn = (path: string): Buffer[] =>
  read(path, (database) =>
    database
      .prepare('SELECT body FROM inbox')
      .all()
      .map(({ body }: { body: Uint8Array }) => Buffer.from(body)),
  )

/** What SQLite's own check finds amiss in a file; nothing in a sound one. */
export function damageIn(path: string): string[] {
  const rows: { integrity_check: string }[] = read(path, (database) =>
    database.prepare('PRAGMA integrity_check').all(),
  )
  return rows.map(({ integrity_check: found }) => found).filter((found) => found !== 'ok')
}

/** Waits until nothing is left to be handled. @returns how many were still open when the time was up */
export async function drained(path: string, withinMs = 30_000): Promise<number> {
  const end = Date.now() + withinMs
  for (;;) {
    const open: number = read(
      path,
      (database) =>
        database.prepare(`SELECT count(*) AS open FROM inbox WHERE state IN ('pending', 'processing')`).get()
          .open,
    )
    if (open === 0 || Date.now() > end) return open
    await wait(100)
  }
}

/** Tells whether a key is in the inbox of a file that may be damaged elsewhere. */
export function keysIn(path: string): (key: string) => boolean {
  const keys = new Set<string>()
  read(path, (database) => {
    // By the index, and by the table from both of its ends: damage to the one leaves the other.
    for (const how of [
      'INDEXED BY sqlite_autoindex_inbox_1',
      'NOT INDEXED',
      'NOT INDEXED ORDER BY id DESC',
    ]) {
      try {
        for (const { key } of database.prepare(`SELECT key FROM inbox ${how}`).iterate()) {
          const [paymentId, event]: unknown[] = JSON.parse(key)
          keys.add(JSON.stringify([paymentId, event]))
        }
      } catch {
        // Read as far as it goes.
      }
    }
  })
  return (key) => keys.has(key)
}
