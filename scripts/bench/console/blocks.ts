import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sqliteDriver } from '../../../sandbox/store/sqlite.ts'
import type { Filled } from './fill.ts'
import { type Operation, type Target, WARM_UP } from './operations.ts'

/** How an operation affected everything else. */
export interface Blocks {
  /** The longest turn of the event loop, in milliseconds of CPU time. */
  readonly turnMs: number
  /** The longest answer to another request meanwhile, in milliseconds. */
  readonly answerMs: number
  /** Until the operation was answered, in milliseconds. */
  readonly tookMs: number
  /** The start of the sandbox before it, in milliseconds of CPU time. */
  readonly startMs: number
}

const PROGRAM = fileURLToPath(new URL('sandbox-process.ts', import.meta.url))

/** A request for a light page is made so long after the last one was answered, in milliseconds. */
const INTERVAL_MS = 5

/** Long enough for what the first requests cause, in milliseconds. */
const WARM_UP_MS = 1000

/** How long to watch after the answer, since work may go on after it, in milliseconds. */
const AFTERWARDS_MS = 2500

/** Starts a sandbox on a copy of a filled file, and watches it during an operation. */
export async function blocksOf(
  { prepare, run }: Operation,
  { file, filled }: { file: string; filled: Filled },
): Promise<Blocks> {
  const copy = `${file}.copy`
  await copyFile(file, copy)
  const { DatabaseSync } = await sqliteDriver()
  const database = new DatabaseSync(copy)
  database.exec(`PRAGMA synchronous = OFF; ${prepare}`)
  database.close()
  const child = fork(PROGRAM, [copy], { execArgv: ['--import', 'tsx'] })
  try {
    const { startMs, ...where } = await messageOf<Omit<Target, 'filled'> & { startMs: number }>(child)
    const page = `${where.url}/sandbox/clock`
    // What happens first in a process takes longer.
    for (let time = 0; time < 3; time += 1) await WARM_UP.run({ ...where, filled })
    await wait(WARM_UP_MS)
    await answerOf(page)
    await longestOf(child)
    const watching = new AbortController()
    const watched = watch(page, watching.signal)
    const started = performance.now()
    await run({ ...where, filled })
    const tookMs = performance.now() - started
    await wait(AFTERWARDS_MS)
    watching.abort()
    return { turnMs: await longestOf(child), answerMs: await watched, tookMs, startMs }
  } finally {
    if (child.connected) child.disconnect()
    if (child.exitCode === null) await once(child, 'exit')
  }
}

/** Requests a light page again and again. @returns the longest answer, in milliseconds */
async function watch(page: string, signal: AbortSignal): Promise<number> {
  let longest = 0
  while (!signal.aborted) {
    const started = performance.now()
    await answerOf(page)
    longest = Math.max(longest, performance.now() - started)
    await wait(INTERVAL_MS)
  }
  return longest
}

/** Each request has its own connection: the sandbox may close one that is idle while it blocks. */
async function answerOf(page: string): Promise<void> {
  const [response] = (await once(get(page, { agent: false }), 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
}

/** The longest turn of the sandbox's event loop since the last call. */
async function longestOf(child: ChildProcess): Promise<number> {
  child.send('longest')
  return (await messageOf<{ longest: number }>(child)).longest
}

async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the sandbox stopped'))),
  ])) as [Message]
  return message
}
