import type { PaymentStatus } from './model.ts'

/** What went wrong with the sandbox itself, as opposed to a request to it. */
type SandboxErrorCode =
  | 'clock_too_far'
  | 'clock_backwards'
  | 'other_seed'
  | 'bad_option'
  | 'closed'
  | 'port_unusable'
  | 'host_unusable'

/** An expected error: its message is for the sender of the request. */
export abstract class Rejection extends Error {
  /** The HTTP status of the response. */
  abstract readonly status: number
}

/**
 * The sandbox cannot do what was requested: one line that says how to fix it. Options stand in the message under their
 * own names; a caller that has other names for them, such as command-line flags, replaces those listed in `names`.
 */
export class SandboxError extends Rejection {
  readonly status = 400
  override readonly name = 'SandboxError'
  readonly code: SandboxErrorCode
  /** The options of `createSandbox` that the message names, each in double quotes, such as `"port"`. */
  readonly names: readonly string[]

  constructor(
    code: SandboxErrorCode,
    message: string,
    { names = [], ...options }: ErrorOptions & { readonly names?: readonly string[] } = {},
  ) {
    super(message, options)
    this.code = code
    this.names = names
  }
}

/** The stable codes of interface 7.2. Only authentication errors have one. */
export type AuthenticationCode = 'MISSING_API_KEY' | 'INVALID_API_KEY' | 'REVOKED_API_KEY'

/** A rejected request, with the status and the message that its sender gets. Interface 7.1. */
export class ApiError extends Rejection {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: AuthenticationCode | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    { code, headers = {} }: { code?: AuthenticationCode; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** The payment's status does not allow the action: 409 in the API. Interface 3. */
export class IllegalTransition extends Rejection {
  readonly status = 409
  override readonly name = 'IllegalTransition'
  readonly code = 'illegal_transition'

  /** @param problem what the status rules out, as a clause: `it cannot be reversed` */
  constructor(id: string, status: PaymentStatus, problem: string) {
    super(`payment ${id} is ${status}: ${problem}.`)
  }
}

/** The action is invalid for this payment, whatever its status: 400 in the API. */
export class BadAction extends Rejection {
  readonly status = 400
  override readonly name = 'BadAction'
  readonly code = 'bad_action'
}
