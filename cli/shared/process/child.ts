import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { tellingLine } from '../../../conformance/crash/output.ts'

/** How long a receiver may take to start, in milliseconds. */
export const START_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 5_000

/** A receiver that runs for one check only. */
export interface StartedReceiver {
  readonly url: string
  readonly observe?: string
  readonly secret: string
  readonly stop: Stop
  /** Resolves when the receiver ends by itself; never after `stop`. */
  readonly ended?: Promise<Ended>
}

/** How a receiver ended by itself. */
export interface Ended {
  /** `exit status 1` or `SIGSEGV` */
  readonly how: string
  /** The last lines of its output, without the signing secret. */
  readonly output: readonly string[]
}

/** Stops a started receiver; further calls change nothing. */
export type Stop = () => Promise<void>

/**
 * Asks a process to end, and kills it when it does not. Its own children count too: a shell may exit long before them,
 * but they keep its output open.
 */
export async function end(child: ChildProcess, ask: () => void, kill: () => void): Promise<void> {
  const closed = isClosed(child) ? Promise.resolve() : once(child, 'close')
  ask()
  const killing = setTimeout(kill, STOP_WITHIN_MS)
  // A process that has left the group cannot be stopped, and must not be waited for.
  const givingUp = setTimeout(() => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, STOP_WITHIN_MS + 1_000)
  await closed
  clearTimeout(killing)
  clearTimeout(givingUp)
}

/** Whether a process has ended, by itself or by a signal. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function isClosed(child: ChildProcess): boolean {
  return hasEnded(child) && child.stdio.every((stream) => stream === null || stream?.destroyed === true)
}

/** Collects the end of standard error; the result returns its most telling line. */
export function collectErrors({ stderr }: ChildProcess): () => string {
  const output = collectLines(stderr)
  return () => tellingLine(output()) ?? ''
}

/** Collects the end of a stream; the result returns its lines so far, without blank ones. */
export function collectLines(stream: Readable | null): () => string[] {
  let text = ''
  stream?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-2000)
  })
  return () => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}
