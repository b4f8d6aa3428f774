import type { Conclusion } from '../../conformance/contracts/webhook/model.ts'
import type { Io, StopSignal } from './io.ts'

/** The exit codes of the command. */
export const EXIT = {
  /** Conformant in the tested profile; for other commands: done. */
  ok: 0,
  /** Not conformant; for other commands: the answer is no. */
  failed: 1,
  /** The run could not take place: usage, configuration, or an unreachable target. */
  unable: 2,
  /** Nothing failed, but some required case gave no result. */
  incomplete: 3,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A mistake in the command line, or something it names cannot be used: one line that says how to fix it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code: string
  /** The options of the library that the message names, each in double quotes, such as `"port"`. */
  readonly names: readonly string[]

  /** @param more code: names the kind of problem, for scripts; names: options of the library in the message */
  constructor(
    message: string,
    {
      code = 'usage',
      names = [],
      ...options
    }: ErrorOptions & { code?: string; names?: readonly string[] } = {},
  ) {
    super(message, options)
    this.code = code
    this.names = names
  }
}

/** A signal cut the command short. After its clean-up the process ends by the same signal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: StopSignal
  /** Whether a report of what was judged until then has been written. */
  readonly hasReport: boolean

  constructor(signal: StopSignal, { hasReport = false } = {}) {
    super(`interrupted by ${signal}`)
    this.signal = signal
    this.hasReport = hasReport
  }
}

/** Runs one command: the action of each calls it with the work to do. */
export type RunCommand = (command: (io: Io) => ExitCode | Promise<ExitCode>) => Promise<void>

/** The exit code of each conclusion. */
export const EXIT_BY_CONCLUSION: Readonly<Record<Conclusion, ExitCode>> = {
  conformant: EXIT.ok,
  'not-conformant': EXIT.failed,
  incomplete: EXIT.incomplete,
}
