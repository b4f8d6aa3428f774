import { oneBatch } from '../batches.ts'
import { apiKeys, endpoints, idempotencyKeys, organizations, settings } from './accounts.ts'
import { closeDatabase, openDatabase, withFix } from './database.ts'
import { deliveries } from './deliveries.ts'
import { events } from './events.ts'
import { apiLog } from './log.ts'
import { payments } from './payments.ts'
import { resends } from './resends.ts'
import { command } from './rows.ts'
import { LARGE_TABLES, SMALL_TABLES } from './schema.ts'
import type { Database } from './sqlite.ts'
import { transactionsOf } from './transactions.ts'

/** The sandbox's data in one SQLite file, used by one process. Every call except `write` is synchronous. */
export type Store = ReturnType<typeof storeOf>

const ROWS = 50

/**
 * Opens the store, and creates the file if it does not exist.
 * @param path a file in an existing folder, or `:memory:` to keep nothing
 * @throws StoreError if the file cannot be used; the file is then unchanged
 */
export async function openStore(path: string): Promise<Store> {
  const database = await openDatabase(path)
  try {
    return storeOf(database)
  } catch (error) {
    database.close()
    throw await withFix(error, path)
  }
}

function storeOf(database: Database) {
  const { transaction, write, afterCommit, flush } = transactionsOf(database)
  const log = apiLog(database, transaction)
  // The last rows by their key, since a row may refer to an earlier one.
  const deletions = LARGE_TABLES.map(([table, key]) =>
    command(
      database,
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} ORDER BY ${key} DESC LIMIT ?)`,
    ),
  )
  const tables = [...LARGE_TABLES.map(([table]) => table), ...SMALL_TABLES]
  return {
    database,
    transaction,
    write,
    afterCommit,
    log,
    settings: settings(database),
    organizations: organizations(database),
    keys: apiKeys(database),
    endpoints: endpoints(database),
    payments: payments(database),
    events: events(database),
    deliveries: deliveries(database),
    resends: resends(database),
    idempotency: idempotencyKeys(database),
    /** Deletes some of what there may be a lot of: as much as fits into one turn. @returns whether there may be more */
    emptySome: () => {
      log.flush()
      // The first of them may have new rows.
      return transaction(() => oneBatch(() => deletions.some((some) => some(ROWS) > 0)))
    },
    empty: () => {
      log.flush()
      transaction(() => database.exec(tables.map((table) => `DELETE FROM ${table};`).join('\n')))
    },
    close: () => {
      flush()
      log.close()
      closeDatabase(database)
    },
  }
}
