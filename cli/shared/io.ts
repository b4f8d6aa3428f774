import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { Environment } from '../../conformance/engine/process/launch.ts'
import { placeOf } from '../../server/store/inbox-place.ts'

/** A stream that a command writes to; `fd`, `isTTY` and `columns` are those of the process's own streams. */
export type Output = NodeJS.WritableStream & {
  readonly fd?: number
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The signals that stop a command. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type StopSignal = (typeof STOP_SIGNALS)[number]

/** Where a command subscribes to signals: the process, or a test's own emitter. */
interface Signals {
  on: (signal: StopSignal, listener: (signal: StopSignal) => void) => unknown
  off: (signal: StopSignal, listener: (signal: StopSignal) => void) => unknown
}

/** Everything that a command reads from and writes to. `cli/main.ts` builds it from the process; tests pass their own. */
export interface Io {
  readonly env: Environment
  /** The working directory, absolute: relative paths in options start here. */
  readonly cwd: string
  readonly stdin: Readable
  readonly stdout: Output
  readonly stderr: Output
  readonly signals: Signals
  /** Aborted when the output cannot be written, for example because the disk is full: long-running commands stop. */
  readonly outputFailed: AbortSignal
  /** Aborted when the reader of the output has left, for example `head`: not a failure. */
  readonly readerGone: AbortSignal
}

/** The absolute path of a file that an option names. */
export const pathOf = ({ cwd }: Pick<Io, 'cwd'>, file: string): string => resolve(cwd, file)

/** The inbox that `--inbox` names: the absolute path of a SQLite file, anything else as it is. */
export const storeOf = (io: Io, inbox: string): string =>
  placeOf(inbox) === 'sqlite' ? pathOf(io, inbox) : inbox

/** Whether standard output shows colors: it is a terminal, and NO_COLOR is empty or not set. */
export const usesColor = ({ stdout, env }: Io): boolean => stdout.isTTY === true && !env['NO_COLOR']

/** The width of the terminal in characters; undefined for a pipe or a file. */
export const widthOf = ({ stdout }: Io): number | undefined =>
  stdout.isTTY === true ? stdout.columns : undefined

/**
 * Subscribes to signals until the first one arrives. A second signal then ends the process at once, as it would without
 * a listener.
 * @returns aborted by the first of the signals
 */
export function stopRequest({ signals }: Io, names: readonly StopSignal[] = STOP_SIGNALS): AbortSignal {
  const stopping = new AbortController()
  const stop = (): void => {
    for (const name of names) signals.off(name, stop)
    stopping.abort()
  }
  for (const name of names) signals.on(name, stop)
  return stopping.signal
}
