/** The stable codes of interface 7.2. Only authentication errors have one. */
export type AuthenticationCode = 'MISSING_API_KEY' | 'INVALID_API_KEY' | 'REVOKED_API_KEY'

/** A rejected request, with the status and the message that its sender gets. Interface 7.1. */
export class ApiError extends Error {
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
