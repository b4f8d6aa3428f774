/** Why a run could not take place. None of these is a verdict on the receiver. */
export type HarnessErrorCode =
  | 'bad_option'
  | 'nothing_selected'
  | 'unreachable'
  | 'no_endpoint'
  | 'observation_failed'
  | 'seed_used'
  | 'internal'

/** A failure of the harness or of its configuration: one line that names the thing and the mend. */
export class HarnessError extends Error {
  override readonly name = 'HarnessError'
  readonly code: HarnessErrorCode

  constructor(code: HarnessErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
