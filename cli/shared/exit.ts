/** What the command's exit code says. */
export const EXIT = {
  /** Conformant in the profile tested; for other subcommands: done. */
  ok: 0,
  /** Not conformant; for other subcommands: the answer is no. */
  failed: 1,
  /** The run could not take place: usage, configuration, or a target that can not be reached. */
  unable: 2,
  /** No failure, but a MUST of the chosen profile could not be tested. */
  incomplete: 3,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A mistake in the command line, or something that it names can not be used: one line with the mend. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}
