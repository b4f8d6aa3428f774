import { oneBatch } from '../batches.ts'
import {
  type ApiKeys,
  apiKeys,
  type Endpoints,
  endpoints,
  type IdempotencyKeys,
  idempotencyKeys,
  type Organizations,
  organizations,
  type Settings,
  settings,
} from './accounts.ts'
import { closeDatabase, openDatabase, withFix } from './database.ts'
import { type Deliveries, deliveries } from './deliveries.ts'
import { type Events, events } from './events.ts'
import { type ApiLog, apiLog } from './log.ts'
import { type Payments, payments } from './payments.ts'
import { type Resends, resends } from './resends.ts'
import { deletion } from './rows.ts'
import { LARGE_TABLES, TABLES } from './schema.ts'
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
  readonly resends: Resends
  readonly idempotency: IdempotencyKeys
  readonly log: ApiLog
  /** Deletes some of what there may be a lot of: as much as fits into one turn. @returns whether there may be more */
  emptySome: () => boolean
  /** Deletes everything. */
  empty: () => void
  close: () => void
}

/** How many rows are deleted at once. */
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

function storeOf(database: Database): Store {
  const { transaction, write, afterCommit, flush } = transactionsOf(database)
  const log = apiLog(database, transaction)
  const deletions = LARGE_TABLES.map(([table, key]) => deletion(database, table, key))
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
    emptySome: () => {
      log.flush()
      // The first of them may have new rows.
      return transaction(() => oneBatch(() => deletions.some((some) => some(ROWS) > 0)))
    },
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
