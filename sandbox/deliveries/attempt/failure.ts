import type { AttemptError } from '../../model.ts'

/** Why an attempt got no response: a kind for programs, and a line for people. */
export interface Failure {
  readonly error: AttemptError
  readonly detail: string
}

const KINDS: Readonly<Record<string, AttemptError>> = {
  TARGET_BLOCKED: 'blocked',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ETIMEDOUT: 'timeout',
}

const MESSAGES: Readonly<Record<AttemptError, string>> = {
  dns: 'the host name could not be resolved',
  refused: 'the connection failed: is the receiver running?',
  timeout: 'no response in time',
  tls: 'the TLS handshake failed: the certificate must be valid for the host name and trusted by this machine',
  reset: 'the connection was closed before the response was complete',
  blocked: 'the target is not public: add a route for it (--route)',
  aborted: 'the attempt was aborted',
}

const NOT_TLS = 'the TLS handshake failed: does the receiver use https?'

/** Maps a socket error to one of a few kinds, so that the same problem has the same message on every machine. */
export function classify(error: unknown): Failure {
  const code = codeOf(error)
  // The HTTP parser rejected the response.
  if (code.startsWith('HPE_')) return { error: 'reset', detail: `the response was not valid HTTP (${code})` }
  if (/EPROTO|_SSL_/.test(code)) return { error: 'tls', detail: `${NOT_TLS} (${code})` }
  const kind = KINDS[code] ?? (isTls(code) ? 'tls' : 'reset')
  if (kind === 'blocked') return { error: kind, detail: (error as Error).message }
  return { error: kind, detail: code === '' ? MESSAGES[kind] : `${MESSAGES[kind]} (${code})` }
}

/** A failure that is not a socket error. */
export const failure = (error: AttemptError, detail = MESSAGES[error]): Failure => ({ error, detail })

function codeOf(error: unknown): string {
  // Of all tried addresses, the error of the first is the most useful.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const isTls = (code: string): boolean => /CERT|SSL|TLS|SIGNATURE|ISSUER|EPROTO|HOSTNAME/.test(code)
