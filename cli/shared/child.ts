import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** How long a started receiver may take until it listens, in milliseconds. */
export const START_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 5_000

/** A receiver that runs for the time of one check. */
export interface StartedReceiver {
  readonly url: string
  readonly observe?: string
  readonly secret: string
  readonly stop: Stop
}

/** Ends a started receiver; more than one call does no harm. */
export type Stop = () => Promise<void>

/**
 * Asks a process to end, and forces it when it does not. What it has started itself counts too: a shell may be gone
 * long before its children, but not its output, which they share.
 */
export async function end(child: ChildProcess, ask: () => void, force: () => void): Promise<void> {
  const gone = isClosed(child) ? Promise.resolve() : once(child, 'close')
  ask()
  const forced = setTimeout(force, STOP_WITHIN_MS)
  // One that has left the group can not be stopped, and must not be waited for.
  const given = setTimeout(() => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, STOP_WITHIN_MS + 1_000)
  await gone
  clearTimeout(forced)
  clearTimeout(given)
}

/** Whether a process has ended, by itself or by a signal. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function isClosed(child: ChildProcess): boolean {
  return hasEnded(child) && child.stdio.every((stream) => stream === null || stream?.destroyed === true)
}

/** Keeps the end of what a process writes to standard error; the result tells the line that matters most. */
export function collectErrors({ stderr }: ChildProcess): () => string {
  const said = collectLines(stderr)
  return () => {
    const lines = said()
    // Node ends with its version, and says above it what went wrong.
    return lines.findLast((line) => /error:/i.test(line)) ?? lines.at(-1) ?? ''
  }
}

/** Keeps the end of what a process writes; the result tells its lines so far, those that are blank left out. */
export function collectLines(stream: Readable | null): () => string[] {
  let text = ''
  stream?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-2000)
  })
  return () => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}
