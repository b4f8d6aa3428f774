import {
  createOrders,
  type Inbox,
  InboxError,
  type Ledger,
  memoryInbox,
  memoryLedger,
  type Orders,
  type Processing,
  type ProcessingOptions,
  type RetryPolicy,
  startProcessing,
} from '@hookproof/receiver'
import type { ExposedFile } from '@hookproof/receiver/sqlite'
import { placeOf } from './inbox-place.ts'

export interface StoreOptions {
  /** The current Unix time in milliseconds. */
  clock: () => number
  retries: Partial<RetryPolicy>
}

/** What the server needs from a store. Its transaction type stays internal. */
export interface Store {
  readonly inbox: Inbox
  /** The name of the store in messages, without a password. */
  readonly name: string
  /** Ends the connections of a store that does not close. What it has not committed is rolled back. */
  readonly disconnect: () => void
  /** Files that other users can read. */
  readonly exposedFiles: readonly ExposedFile[]
  readonly orders: Pick<Orders, 'observe' | 'handle' | 'transact'>
  /** Starts to record the effects of the inbox entries in the ledger. */
  process(options: Omit<ProcessingOptions, 'inbox' | 'handle' | 'transact'>): Processing
}

/**
 * Opens the configured store: `memory`, the URL of a Postgres database, or the path of a SQLite file. Only its own driver
 * is loaded, because loading takes time and the package for Postgres is optional.
 * @throws InboxError if the store cannot be used.
 */
export async function openStore(inbox: string, options: StoreOptions): Promise<Store> {
  const place = placeOf(inbox)
  if (place === 'malformed') throw malformedUrl(inbox)
  if (place === 'postgres') return openPostgres(inbox, options)
  if (place === 'memory') {
    return storeOf({ name: 'memory', inbox: memoryInbox(options), ledger: memoryLedger() })
  }
  const { sqliteInbox, sqliteLedger } = await import('@hookproof/receiver/sqlite')
  const sqlite = await sqliteInbox({ path: inbox, ...options })
  const { database, exposedFiles } = sqlite
  const store = storeOf({ name: inbox, inbox: sqlite, ledger: sqliteLedger(database) })
  return { ...store, exposedFiles }
}

/** The message shows nothing but the scheme, because the URL may contain a password. */
export function malformedUrl(url: string): InboxError {
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(url) ?? []
  const problem =
    scheme === undefined
      ? 'it looks like a URL, but is not valid'
      : `${scheme.toLowerCase()}:// is not supported`
  return new InboxError(
    `inbox: ${problem}. Use postgres://user:password@host:5432/database, memory, or the path of a SQLite file (with ./ in front if it contains a colon).`,
  )
}

async function openPostgres(url: string, options: StoreOptions): Promise<Store> {
  const { postgresInbox, postgresLedger, openPool, nameOf } = await loadPostgres()
  const pool = openPool(url)
  const disconnect = () => pool.disconnect()
  try {
    const inbox = await postgresInbox({ pool, ...options })
    const close = async () => {
      await inbox.close()
      await pool.close()
    }
    const ledger = postgresLedger({ pool })
    return storeOf({ name: nameOf(pool), inbox: { ...inbox, close }, ledger, disconnect })
  } catch (error) {
    disconnect()
    throw error
  }
}

/** @throws InboxError if the package is not installed */
export async function loadPostgres() {
  try {
    return await import('@hookproof/receiver/postgres')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new InboxError('inbox: the package for Postgres is not installed. Run npm install pg@8.', {
      cause: error,
    })
  }
}

interface Parts<Transaction> {
  name: string
  inbox: Inbox<Transaction>
  ledger: Ledger<Transaction>
  disconnect?: () => void
}

/** Combines an inbox and a ledger that share transactions. */
function storeOf<Transaction>({ name, inbox, ledger, disconnect = () => {} }: Parts<Transaction>): Store {
  const orders = createOrders({ ledger })
  return {
    name,
    inbox,
    exposedFiles: [],
    orders,
    disconnect,
    process: (options) =>
      startProcessing({
        ...options,
        inbox,
        handle: (event, entry) => orders.handle(event, entry),
        transact: (event, entry, transaction) => orders.transact(event, entry, transaction),
      }),
  }
}
