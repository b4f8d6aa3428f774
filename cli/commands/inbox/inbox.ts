import type { Entry, EntryState, Inbox, InboxReader } from '@hookproof/receiver'
import { counted } from '../../../conformance/report/wording.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { oneLine } from '../../shared/text.ts'
import { depthText, entryJson, entryTable, entryText, printableBody } from './show.ts'
import { type InboxOptions, retryWhileBusy, withInbox, withReader } from './store.ts'

interface ListOptions extends InboxOptions {
  readonly state?: EntryState
  readonly limit?: number
  readonly json?: true
}

/** `hookproof inbox list`: lists entries, and counts what is not done. */
export function listEntries(options: ListOptions, io: Io): Promise<ExitCode> {
  const { state, limit = 50, json } = options
  return withReader(options, io, async (inbox) => {
    const states: EntryState[] = state === undefined ? ['dead', 'processing', 'pending'] : [state]
    const entries: Entry[] = []
    for (const listed of states) {
      if (entries.length === limit) break
      entries.push(...(await inbox.list({ state: listed, limit: limit - entries.length })))
    }
    if (json) return print(io, `${JSON.stringify(entries.map(entryJson), null, 2)}\n`)
    const depth = depthText(await inbox.depth(Date.now()))
    if (entries.length > 0) return print(io, `${entryTable(entries)}\n${depth}`)
    return print(io, state === undefined ? `${depth}--state done lists handled events.\n` : depth)
  })
}

interface ShowOptions extends InboxOptions {
  readonly body?: true
  readonly json?: true
}

/** `hookproof inbox show`: shows one entry. The signature is not stored. */
export function show(id: string, options: ShowOptions, io: Io): Promise<ExitCode> {
  const { body, json } = options
  return withReader(options, io, async (inbox) => {
    const entry = await find(inbox, id)
    if (json) {
      const text = body ? { body: entry.body.toString('utf8') } : {}
      return print(io, `${JSON.stringify({ ...entryJson(entry), ...text }, null, 2)}\n`)
    }
    return print(io, entryText(entry) + (body ? `\n${printableBody(entry)}\n` : ''))
  })
}

interface RetryOptions extends InboxOptions {
  readonly allDead?: true
}

/** `hookproof inbox retry`: requeues dead entries. Unless all of `ids` are dead, none is changed. */
export function retry(ids: readonly string[], options: RetryOptions, io: Io): Promise<ExitCode> {
  const { allDead } = options
  if (ids.length > 0 === (allDead === true)) {
    throw new UsageError('pass either the ids of dead entries, or --all-dead')
  }
  return withInbox(options, io, async (inbox) => {
    for (const id of ids) {
      const { state } = await find(inbox, id)
      if (state !== 'dead')
        throw new UsageError(`entry ${oneLine(id)} is ${state}: only dead entries can be retried`)
    }
    const requeued = allDead ? await retryAll(inbox) : await retryEach(inbox, ids)
    const entries = counted(requeued, 'dead entry', 'dead entries')
    return print(io, `requeued ${entries}\n${depthText(await inbox.depth(Date.now()))}`)
  })
}

async function retryAll(inbox: Inbox): Promise<number> {
  const seen = new Set<string>()
  let requeued = 0
  for (;;) {
    const dead = await inbox.list({ state: 'dead', limit: 100 })
    // The receiver may give up on an entry again meanwhile: each is requeued once.
    const ids = dead.map(({ id }) => id).filter((id) => !seen.has(id))
    if (ids.length === 0) return requeued
    for (const id of ids) seen.add(id)
    requeued += await retryEach(inbox, ids)
  }
}

async function retryEach(inbox: Inbox, ids: readonly string[]): Promise<number> {
  let requeued = 0
  for (const id of ids) if (await retryWhileBusy(() => inbox.retry(id))) requeued += 1
  return requeued
}

interface PurgeOptions extends InboxOptions {
  /** In milliseconds. */
  readonly olderThan: number
}

/** `hookproof inbox purge`: deletes old entries that are done. */
export function purge(options: PurgeOptions, io: Io): Promise<ExitCode> {
  const before = Date.now() - options.olderThan
  return withInbox(options, io, async (inbox) => {
    const deleted = counted(await retryWhileBusy(() => inbox.purge(before)), 'done entry', 'done entries')
    return print(io, `deleted ${deleted} accepted before ${new Date(before).toISOString()}\n`)
  })
}

async function find(inbox: InboxReader, id: string): Promise<Entry> {
  const entry = await inbox.get(id)
  if (entry !== undefined) return entry
  throw new UsageError(`there is no entry ${oneLine(id)}: \`hookproof inbox list\` lists the entries`, {
    code: 'not_found',
  })
}

function print({ stdout }: Io, text: string): ExitCode {
  stdout.write(text)
  return EXIT.ok
}
