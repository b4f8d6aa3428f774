import type { Entry, EntryState, Inbox } from '../../../receiver/inbox.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { oneLine } from '../../shared/options.ts'
import { bodyText, depthText, entryJson, entryTable, entryText } from './show.ts'
import { type InboxOptions, patiently, withInbox } from './store.ts'

interface ListOptions extends InboxOptions {
  readonly state?: EntryState
  readonly limit?: number
  readonly json?: true
}

/** `hookproof inbox list`: a line for each entry, and how much waits. */
export function list({ state, limit = 50, json, ...where }: ListOptions): Promise<ExitCode> {
  return withInbox(where, async (inbox) => {
    const states: EntryState[] = state === undefined ? ['dead', 'processing', 'pending'] : [state]
    const entries: Entry[] = []
    for (const one of states) {
      if (entries.length === limit) break
      entries.push(...(await inbox.list({ state: one, limit: limit - entries.length })))
    }
    if (json) return print(`${JSON.stringify(entries.map(entryJson), null, 2)}\n`)
    const depth = depthText(await inbox.depth(Date.now()))
    return print(entries.length === 0 ? depth : `${entryTable(entries)}\n${depth}`)
  })
}

interface ShowOptions extends InboxOptions {
  readonly body?: true
  readonly json?: true
}

/** `hookproof inbox show`: everything about one entry but the signature, which no inbox keeps. */
export function show(id: string, { body, json, ...where }: ShowOptions): Promise<ExitCode> {
  return withInbox(where, async (inbox) => {
    const entry = await find(inbox, id)
    if (json) {
      const text = body ? { body: entry.body.toString('utf8') } : {}
      return print(`${JSON.stringify({ ...entryJson(entry), ...text }, null, 2)}\n`)
    }
    return print(entryText(entry) + (body ? `\n${bodyText(entry)}\n` : ''))
  })
}

interface RetryOptions extends InboxOptions {
  readonly allDead?: true
}

/** `hookproof inbox retry`: dead entries become pending. All those named must be dead, or none is changed. */
export function retry(ids: readonly string[], { allDead, ...where }: RetryOptions): Promise<ExitCode> {
  if (ids.length > 0 === (allDead === true)) {
    throw new UsageError('give either the ids of dead entries, or --all-dead')
  }
  return withInbox(where, async (inbox) => {
    for (const id of ids) {
      const { state } = await find(inbox, id)
      if (state !== 'dead')
        throw new UsageError(`entry ${oneLine(id)} is ${state}: only a dead one is retried`)
    }
    const retried = allDead ? await retryAll(inbox) : await retryEach(inbox, ids)
    return print(`${retried} of the dead are pending again\n${depthText(await inbox.depth(Date.now()))}`)
  })
}

async function retryAll(inbox: Inbox): Promise<number> {
  const seen = new Set<string>()
  let retried = 0
  for (;;) {
    const dead = await inbox.list({ state: 'dead', limit: 100 })
    // The receiver may give one up again meanwhile: it has had its turn.
    const ids = dead.map(({ id }) => id).filter((id) => !seen.has(id))
    if (ids.length === 0) return retried
    for (const id of ids) seen.add(id)
    retried += await retryEach(inbox, ids)
  }
}

async function retryEach(inbox: Inbox, ids: readonly string[]): Promise<number> {
  let retried = 0
  for (const id of ids) if (await patiently(() => inbox.retry(id))) retried += 1
  return retried
}

interface PurgeOptions extends InboxOptions {
  /** In milliseconds. */
  readonly olderThan: number
  readonly dryRun?: true
}

/** `hookproof inbox purge`: deletes what was handled and is old. */
export function purge({ olderThan, dryRun, ...where }: PurgeOptions): Promise<ExitCode> {
  const before = Date.now() - olderThan
  const accepted = `handled entries that were accepted before ${new Date(before).toISOString()}`
  return withInbox(where, async (inbox) => {
    if (dryRun) return print(`${await countOld(inbox, before)} ${accepted} would be deleted\n`)
    return print(`${await patiently(() => inbox.purge(before))} ${accepted} were deleted\n`)
  })
}

/** An inbox lists whole entries, so this looks no further than it must to give an idea. */
const MOST_COUNTED = 5000

async function countOld(inbox: Inbox, before: number): Promise<string> {
  const done = await inbox.list({ state: 'done', limit: MOST_COUNTED })
  const count = done.filter(({ receivedAt }) => receivedAt < before).length
  return done.length === MOST_COUNTED && count > 0 ? `At least ${count}` : String(count)
}

async function find(inbox: Inbox, id: string): Promise<Entry> {
  const entry = await inbox.get(id)
  if (entry !== undefined) return entry
  throw new UsageError(
    `there is no entry ${oneLine(id)}: \`hookproof inbox list\` shows those that there are`,
  )
}

function print(text: string): ExitCode {
  process.stdout.write(text)
  return EXIT.ok
}
