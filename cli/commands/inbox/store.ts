import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Inbox, InboxError } from '@hookproof/receiver'
import { type Database, loadDriver } from '@hookproof/receiver/sqlite'
import { placeOf } from '../../../server/store/inbox-place.ts'
import { openStore } from '../../../server/store/store.ts'
import { UsageError } from '../../shared/exit.ts'
import { type Io, storeOf } from '../../shared/io.ts'
import { reasonOf } from '../../shared/text.ts'

/** The inbox to open; default: the environment's. */
export interface InboxOptions {
  readonly inbox?: string
}

/**
 * Opens an existing inbox for some work, and closes it.
 * @throws UsageError if there is no inbox: none is ever created
 */
export async function withInbox<Result>(
  { inbox: option }: InboxOptions,
  io: Io,
  work: (inbox: Inbox) => Promise<Result>,
): Promise<Result> {
  const place = option || io.env['INBOX'] || './inbox.sqlite'
  const kind = placeOf(place)
  if (kind === 'memory') {
    throw new UsageError(
      'an inbox in memory is visible to its own process only: set --inbox to a file, or to the URL of a database',
    )
  }
  const store = storeOf(io, place)
  try {
    if (kind === 'postgres') await requireDatabase(place)
    else if (kind === 'sqlite') await requireFile(place, store)
    const { inbox } = await openStore(store, { clock: Date.now, retries: {} })
    try {
      return await work(inbox)
    } finally {
      await inbox.close()
    }
  } catch (error) {
    if (error instanceof InboxError) throw new UsageError(error.message)
    if (isBusy(error)) throw new UsageError(`inbox ${place}: it is busy; try again`)
    throw error
  }
}

const BUSY_WITHIN_MS = 10_000

/** Retries a write for up to ten seconds while the receiver locks the SQLite file. */
export async function retryWhileBusy<Result>(write: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + BUSY_WITHIN_MS
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await pause(50)
    }
  }
}

const isBusy = (error: unknown): boolean => {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' && (code & 0xff) === 5
}

/** Opening a store creates what is missing, which would hide a mistyped path. */
async function requireFile(name: string, path: string): Promise<void> {
  const refusal = (problem: string) =>
    new UsageError(`inbox ${name}: ${problem}; set --inbox to that of the receiver`)
  const file = await stat(path).catch((error: unknown) => {
    throw refusal(reasonOf(error))
  })
  if (!file.isFile()) throw refusal('it is not a file')
  if (file.size === 0 || !(await holdsInbox(path))) throw refusal('the file does not hold an inbox')
}

async function holdsInbox(path: string): Promise<boolean> {
  const { DatabaseSync } = await loadDriver()
  let database: Database | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    const tables = database
      .prepare(
        "SELECT count(*) AS count FROM sqlite_master WHERE type = 'table' AND name IN ('inbox', 'ledger')",
      )
      .get()
    return tables.count === 2
  } catch {
    // The store reports the reason, and does not change such a file.
    return true
  } finally {
    database?.close()
  }
}

async function requireDatabase(url: string): Promise<void> {
  if (!(await hasTables(url))) {
    throw new UsageError('the database does not hold an inbox; set --inbox to the URL that the receiver uses')
  }
}

async function hasTables(url: string): Promise<boolean> {
  const module = await import('@hookproof/receiver/postgres').catch(() => undefined)
  // The store reports what is wrong.
  if (module === undefined) return true
  let pool: ReturnType<typeof module.openPool> | undefined
  try {
    pool = module.openPool(url)
    pool.on('error', () => {})
    const { rows } = await pool.query<{ found: boolean }>(
      "SELECT to_regclass('hookproof.inbox') IS NOT NULL AS found",
    )
    return rows[0]?.found === true
  } catch {
    return true
  } finally {
    await pool?.end()
  }
}
