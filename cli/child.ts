import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** How long a started receiver may take until it listens, in milliseconds. */
export const START_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 5_000

/** A receiver that runs for the time of one check. */
export interface StartedReceiver {
  readonly url: string
  readonly observe?: string
  readonly secret: string
  readonly stop: () => Promise<void>
}

/** Asks a process to end, and forces it when it does not. */
export async function end(child: ChildProcess, ask: () => void, force: () => void): Promise<void> {
  const gone = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, 'exit')
  ask()
  const forced = setTimeout(force, STOP_WITHIN_MS)
  await gone
  clearTimeout(forced)
}

/** Keeps the end of what a process writes to standard error; the result tells its last line. */
export function collectErrors(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-2000)
  })
  return () => text.trim().split('\n').at(-1)?.trim() ?? ''
}
