import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { type Inbox, InboxError } from '../../../receiver/inbox.ts'
import { openStore } from '../../../server/store.ts'
import { UsageError } from '../../shared/exit.ts'
import { reasonOf } from '../../shared/options.ts'

/** Where the inbox is; what is left out comes from the environment. */
export interface InboxOptions {
  readonly inbox?: string
}

/**
 * Does something with the inbox that is named, and closes it.
 * @throws UsageError if there is no inbox. None is ever made.
 */
export async function withInbox<Result>(
  { inbox: given }: InboxOptions,
  work: (inbox: Inbox) => Promise<Result>,
): Promise<Result> {
  const place = given || process.env['INBOX'] || './inbox.sqlite'
  if (place === 'memory') {
    throw new UsageError(
      'an inbox in memory is seen by its own process only: give --inbox a file, or the URL of a database',
    )
  }
  await (/^postgres(ql)?:\/\//i.test(place) ? requireDatabase(place) : requireFile(place))
  try {
    const { inbox } = await openStore(place, { clock: Date.now, retries: {} })
    try {
      return await work(inbox)
    } finally {
      await inbox.close()
    }
  } catch (error) {
    if (error instanceof InboxError) throw new UsageError(error.message)
    if (isBusy(error)) throw new UsageError(`inbox ${place}: others kept it busy; try again`)
    throw error
  }
}

const PATIENCE_MS = 10_000

/** Does a write again while the receiver holds the SQLite file, for ten seconds. */
export async function patiently<Result>(write: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      await pause(50)
    }
  }
}

const isBusy = (error: unknown): boolean => {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' && (code & 0xff) === 5
}

/** Opening a store makes what is missing: for a receiver that is right, here it would hide a mistake. */
async function requireFile(path: string): Promise<void> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return
  const found = await stat(path).catch((error: unknown) => {
    throw new UsageError(`inbox ${path}: ${reasonOf(error)}; give --inbox that of the receiver`)
  })
  if (!found.isFile()) throw new UsageError(`inbox ${path}: it is no file; give --inbox that of the receiver`)
  if (found.size === 0 || !holdsInbox(path)) {
    throw new UsageError(`inbox ${path}: there is no inbox in it; give --inbox that of the receiver`)
  }
}

function holdsInbox(path: string): boolean {
  let database: DatabaseSyncInstance | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    const tables = database
      .prepare(
        "SELECT count(*) AS count FROM sqlite_master WHERE type = 'table' AND name IN ('inbox', 'ledger')",
      )
      .get()
    return tables.count === 2
  } catch {
    // Whatever it is, the store has the better words for it, and leaves such a file as it is.
    return true
  } finally {
    database?.close()
  }
}

async function requireDatabase(url: string): Promise<void> {
  const found = await hasTables(url)
  if (!found) throw new UsageError('the database holds no inbox; give --inbox the URL that the receiver has')
}

async function hasTables(url: string): Promise<boolean> {
  const module = await import('../../../receiver/inbox/postgres/pool.ts').catch(() => undefined)
  // Again the store has the better words for what is wrong.
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
