/** What went wrong with the sandbox itself, and not with a request to it. */
export type SandboxErrorCode =
  | 'clock_too_far'
  | 'clock_backwards'
  | 'other_seed'
  | 'bad_option'
  | 'closed'
  | 'port_unusable'
  | 'host_unusable'

/** The sandbox can not do as it was told; one line that names the mend. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly code: SandboxErrorCode

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
