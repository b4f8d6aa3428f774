import { apiKeys, endpoints, idempotencyKeys, organizations, settings } from './accounts.ts'
import { closeDatabase, openDatabase, withFix } from './database.ts'
import { deliveries } from './deliveries.ts'
import { events } from './events.ts'
import { apiLog } from './log.ts'
import { payments } from './payments.ts'
import { statements } from './rows.ts'
import type { Database } from './sqlite.ts'
import { transactionsOf } from './transactions.ts'

/** The sandbox's data in one SQLite file, used by one process. */
export type Store = ReturnType<typeof storeOf>

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
  const { transaction, afterCommit } = transactionsOf(database)
  const log = apiLog(database, transaction)
  const { all } = statements(database)
  return {
    database,
    transaction,
    afterCommit,
    log,
    settings: settings(database),
    organizations: organizations(database),
    keys: apiKeys(database),
    endpoints: endpoints(database),
    payments: payments(database),
    events: events(database),
    deliveries: deliveries(database),
    idempotency: idempotencyKeys(database),
    /** Deletes everything, and fills the store again in the same transaction. */
    refill: (fill: () => void): void => {
      log.flush()
      const tables = all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      // Otherwise SQLite would look at each row of a table that others reference; nothing is left that could refer to it.
      database.exec('PRAGMA foreign_keys = OFF')
      try {
        transaction(() => {
          database.exec(tables.map(({ name }) => `DELETE FROM ${name};`).join('\n'))
          fill()
        })
      } finally {
        database.exec('PRAGMA foreign_keys = ON')
      }
    },
    close: () => {
      log.close()
      closeDatabase(database)
    },
  }
}
