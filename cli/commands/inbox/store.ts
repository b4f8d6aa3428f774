import { setTimeout as pause } from 'node:timers/promises'
import { type Inbox, InboxError, type InboxReader, NoInboxError } from '@hookproof/receiver'
import { openReader } from '../../../server/store/reader.ts'
import { openStore } from '../../../server/store/store.ts'
import { UsageError } from '../../shared/exit.ts'
import { type Io, storeOf } from '../../shared/io.ts'

/** The inbox to open; default: the environment's. */
export interface InboxOptions {
  readonly inbox?: string
}

type Close = { close(): Promise<void> }

/**
 * Opens an existing inbox for reading only, and closes it.
 * @throws UsageError if there is no inbox, or it cannot be read
 */
export function withReader<Result>(
  options: InboxOptions,
  io: Io,
  work: (inbox: InboxReader) => Promise<Result>,
): Promise<Result> {
  return withOpened(options, io, openReader, work)
}

/**
 * Opens an existing inbox for some work, and closes it.
 * @throws UsageError if there is no inbox: none is ever created
 */
export function withInbox<Result>(
  options: InboxOptions,
  io: Io,
  work: (inbox: Inbox) => Promise<Result>,
): Promise<Result> {
  return withOpened(options, io, openExisting, work)
}

/** Opening a store creates what is missing, which would hide a mistyped path. */
async function openExisting(store: string): Promise<Inbox> {
  try {
    await (await openReader(store)).close()
  } catch (error) {
    // The store reports all that it needs, also to write.
    if (!(error instanceof InboxError) || error instanceof NoInboxError) throw error
  }
  const { inbox } = await openStore(store, { clock: Date.now, retries: {} })
  return inbox
}

async function withOpened<Opened extends Close, Result>(
  { inbox: option }: InboxOptions,
  io: Io,
  open: (store: string) => Promise<Opened>,
  work: (inbox: Opened) => Promise<Result>,
): Promise<Result> {
  const place = option || io.env['INBOX'] || './inbox.sqlite'
  try {
    const inbox = await open(storeOf(io, place))
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
