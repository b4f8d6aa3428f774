/** What went wrong with the sandbox itself, as opposed to a request to it. */
export type SandboxErrorCode =
  | 'clock_too_far'
  | 'clock_backwards'
  | 'other_seed'
  | 'bad_option'
  | 'closed'
  | 'port_unusable'
  | 'host_unusable'

export interface SandboxErrorOptions extends ErrorOptions {
  /** The options of `createSandbox` that the message names, each in double quotes, such as `"port"`. */
  readonly names?: readonly string[]
}

/**
 * The sandbox cannot do what was requested: one line that says how to fix it. Options stand in the message under their
 * own names; a caller that has other names for them, such as command-line flags, replaces those listed in `names`.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly code: SandboxErrorCode
  readonly names: readonly string[]

  constructor(code: SandboxErrorCode, message: string, { names = [], ...options }: SandboxErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.names = names
  }
}
