import type { RetryPolicy } from '../receiver/inbox/retries.ts'
import type { ExposedFile } from '../receiver/inbox/sqlite.ts'
import { type Inbox, InboxError } from '../receiver/inbox.ts'
import { createOrders, type Ledger, type Orders } from '../receiver/orders.ts'
import { type Processing, type ProcessingOptions, startProcessing } from '../receiver/processing.ts'

export interface StoreOptions {
  /** The current Unix time in milliseconds. */
  clock: () => number
  retries: Partial<RetryPolicy>
}

/** What the server needs from a store. Its transaction type stays internal. */
export interface Store {
  readonly inbox: Inbox
  /** Files that other users can read. */
  readonly exposedFiles: readonly ExposedFile[]
  readonly orders: Pick<Orders, 'observe' | 'handle' | 'transact'>
  /** Starts to record the effects of the inbox entries in the ledger. */
  process(options: Omit<ProcessingOptions, 'inbox' | 'handle' | 'transact'>): Processing
}

/**
 * Opens the configured store: `memory`, the URL of a Postgres database, or the path of a SQLite file. Only its own driver
 * is loaded, because loading takes time and the packages for Postgres are optional.
 * @throws InboxError if the store cannot be used.
 */
export async function openStore(inbox: string, options: StoreOptions): Promise<Store> {
  if (inbox === 'memory') {
    const [{ memoryInbox }, { memoryLedger }] = await Promise.all([
      import('../receiver/inbox/memory.ts'),
      import('../receiver/ledger/memory.ts'),
    ])
    return storeOf(memoryInbox(options), memoryLedger())
  }
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(inbox) ?? []
  if (scheme !== undefined) return openPostgres(scheme.toLowerCase(), inbox, options)
  const { sqliteInbox, sqliteLedger } = await import('../receiver/inbox/sqlite.ts')
  const sqlite = await sqliteInbox({ path: inbox, ...options })
  const { database, exposedFiles } = sqlite
  return { ...storeOf(sqlite, sqliteLedger(database)), exposedFiles }
}

async function openPostgres(scheme: string, url: string, options: StoreOptions): Promise<Store> {
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    // Only the scheme, because the URL may contain a password.
    throw new InboxError(
      `inbox: ${scheme}:// is not supported. Use postgres://..., the path of a SQLite file, or memory.`,
    )
  }
  const { postgresInbox, postgresLedger, openPool } = await loadPostgres()
  const pool = openPool(url)
  try {
    const inbox = await postgresInbox({ pool, ...options })
    const close = async () => {
      await inbox.close()
      await pool.end()
    }
    return storeOf({ ...inbox, close }, postgresLedger({ pool }))
  } catch (error) {
    await pool.end()
    throw error
  }
}

async function loadPostgres() {
  try {
    const [inbox, pool] = await Promise.all([
      import('../receiver/inbox/postgres.ts'),
      import('../receiver/inbox/postgres/pool.ts'),
    ])
    return { ...inbox, ...pool }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new InboxError(
      'inbox: the packages for Postgres are not installed. Run npm install pg@8 pg-boss@10.4.2.',
      {
        cause: error,
      },
    )
  }
}

/** Combines an inbox and a ledger that share transactions. */
function storeOf<Transaction>(inbox: Inbox<Transaction>, ledger: Ledger<Transaction>): Store {
  const orders = createOrders({ ledger })
  return {
    inbox,
    exposedFiles: [],
    orders,
    process: (options) =>
      startProcessing({
        ...options,
        inbox,
        handle: (event, entry) => orders.handle(event, entry),
        transact: (event, entry, transaction) => orders.transact(event, entry, transaction),
      }),
  }
}
