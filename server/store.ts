import type { RetryPolicy } from '../receiver/inbox/retries.ts'
import { type Inbox, InboxError } from '../receiver/inbox.ts'
import { createOrders, type Ledger, type Orders } from '../receiver/orders.ts'
import { type Processing, type ProcessingOptions, startProcessing } from '../receiver/processing.ts'

export interface StoreOptions {
  /** Now, in milliseconds. */
  clock: () => number
  retries: Partial<RetryPolicy>
}

/** What the server needs of a store. Which transactions it has is nobody's business but its own. */
export interface Store {
  readonly inbox: Inbox
  readonly orders: Pick<Orders, 'observe' | 'handle' | 'transact'>
  /** Starts to book in the ledger what the inbox holds. */
  process(options: Omit<ProcessingOptions, 'inbox' | 'handle' | 'transact'>): Processing
}

/**
 * Opens the store that is configured: `memory`, the URL of a Postgres database, or the path of a SQLite file. Its driver
 * is loaded only then: it costs time that others need not spend, and that of Postgres need not be installed.
 * @throws InboxError if the store can not be used.
 */
export async function openStore(inbox: string, options: StoreOptions): Promise<Store> {
  if (inbox === 'memory') {
    const [{ memoryInbox }, { memoryLedger }] = await Promise.all([
      import('../receiver/inbox/memory.ts'),
      import('../receiver/ledger/memory.ts'),
    ])
    return joined(memoryInbox(options), memoryLedger())
  }
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(inbox) ?? []
  if (scheme !== undefined) return openPostgres(scheme.toLowerCase(), inbox, options)
  const { sqliteInbox, sqliteLedger } = await import('../receiver/inbox/sqlite.ts')
  const sqlite = await sqliteInbox({ path: inbox, ...options })
  return joined(sqlite, sqliteLedger(sqlite.database))
}

async function openPostgres(scheme: string, url: string, options: StoreOptions): Promise<Store> {
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    // Not the rest of it: there may be a password in it.
    throw new InboxError(
      `inbox: ${scheme}:// is not known. Give postgres://..., the path of a SQLite file, or memory.`,
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
    return joined({ ...inbox, close }, postgresLedger({ pool }))
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
    throw new InboxError('inbox: Postgres needs two packages. Run npm install pg@8 pg-boss@10.4.2.', {
      cause: error,
    })
  }
}

/** An inbox and a ledger that share their transactions. */
function joined<Transaction>(inbox: Inbox<Transaction>, ledger: Ledger<Transaction>): Store {
  const orders = createOrders({ ledger })
  return {
    inbox,
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
