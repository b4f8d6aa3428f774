import { closeDatabase, openDatabase, withFix } from './database.ts'
import { type Deliveries, deliveries } from './deliveries.ts'
import { type Endpoints, endpoints } from './endpoints.ts'
import { type Events, events } from './events.ts'
import { type IdempotencyKeys, idempotencyKeys } from './idempotency.ts'
import { type ApiKeys, apiKeys } from './keys.ts'
import { type ApiLog, apiLog } from './log.ts'
import { type Organizations, organizations } from './organizations.ts'
import { type Payments, payments } from './payments.ts'
import { TABLES } from './schema.ts'
import { type Settings, settings } from './settings.ts'
import type { Database } from './sqlite.ts'
import { type Transactions, transactionsOf } from './transactions.ts'

/** The sandbox's data in one SQLite file, used by one process. Every call except `write` is synchronous. */
export interface Store extends Pick<Transactions, 'transaction' | 'write' | 'afterCommit'> {
  readonly database: Database
  readonly settings: Settings
  readonly organizations: Organizations
  readonly keys: ApiKeys
  readonly endpoints: Endpoints
  readonly payments: Payments
  readonly events: Events
  readonly deliveries: Deliveries
  readonly idempotency: IdempotencyKeys
  readonly log: ApiLog
  /** Deletes everything. */
  empty: () => void
  close: () => void
}

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

function storeOf(database: Database): Store {
  const { transaction, write, afterCommit, flush } = transactionsOf(database)
  const log = apiLog(database, transaction)
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
    idempotency: idempotencyKeys(database),
    empty: () => {
      log.flush()
      transaction(() => database.exec(TABLES.map((table) => `DELETE FROM ${table};`).join('\n')))
    },
    close: () => {
      flush()
      log.close()
      closeDatabase(database)
    },
  }
}
