/** Why a run could not take place. None of these means anything about the receiver. */
export type HarnessErrorCode =
  | 'bad_option'
  | 'nothing_selected'
  | 'unreachable'
  | 'no_endpoint'
  | 'rate_limited'
  | 'blocked'
  | 'unavailable'
  | 'observation_failed'
  | 'seed_used'
  | 'not_started'
  | 'not_killed'
  | 'internal'

export interface HarnessErrorOptions extends ErrorOptions {
  /** The options of `check` that the message names, each in double quotes, such as `"observeCommand"`. */
  readonly names?: readonly string[]
}

/**
 * The run could not take place, or its configuration is wrong: one line that states what is wrong and how to fix it. The
 * message shows options under their own names; a caller that has other names for them, such as command-line flags,
 * replaces those listed in `names`.
 */
export class HarnessError extends Error {
  override readonly name = 'HarnessError'
  readonly code: HarnessErrorCode
  readonly names: readonly string[]

  constructor(code: HarnessErrorCode, message: string, { names = [], ...options }: HarnessErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.names = names
  }
}
