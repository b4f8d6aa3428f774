import { closeDatabase, openDatabase } from './database.ts'
import { type Deliveries, deliveries } from './deliveries.ts'
import { type Endpoints, endpoints } from './endpoints.ts'
import { type Events, events } from './events.ts'
import { type IdempotencyKeys, idempotencyKeys } from './idempotency.ts'
import { type ApiKeys, apiKeys } from './keys.ts'
import { type ApiLog, apiLog } from './log.ts'
import { type Organisations, organisations } from './organisations.ts'
import { type Payments, payments } from './payments.ts'
import { TABLES } from './schema.ts'
import { type Settings, settings } from './settings.ts'
import type { Database } from './sqlite.ts'
import { type Transactions, transactionsOf } from './transactions.ts'

/** Everything that the sandbox remembers, in one SQLite file; one process writes it. Every call but `write` is synchronous. */
export interface Store extends Pick<Transactions, 'transaction' | 'write' | 'afterCommit'> {
  readonly database: Database
  readonly settings: Settings
  readonly organisations: Organisations
  readonly keys: ApiKeys
  readonly endpoints: Endpoints
  readonly payments: Payments
  readonly events: Events
  readonly deliveries: Deliveries
  readonly idempotency: IdempotencyKeys
  readonly log: ApiLog
  /** Forgets everything. */
  empty: () => void
  close: () => void
}

/**
 * Opens the store, and makes a new file when there is none.
 * @param path a file in a folder that exists, or `:memory:` for a store that goes with the process
 * @throws StoreError if the file can not be used; it is then left as it was
 */
export async function openStore(path: string): Promise<Store> {
  const database = await openDatabase(path)
  const { transaction, write, afterCommit, flush } = transactionsOf(database)
  const log = apiLog(database, transaction)
  return {
    database,
    transaction,
    write,
    afterCommit,
    log,
    settings: settings(database),
    organisations: organisations(database),
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
