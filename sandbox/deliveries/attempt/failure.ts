import type { AttemptError } from '../../model.ts'

/** Why an attempt came to no answer, in a kind that programs go by and a line for people. */
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

const WORDS: Readonly<Record<AttemptError, string>> = {
  dns: 'the host name could not be resolved',
  refused: 'no connection could be made: is the receiver running?',
  timeout: 'no answer came in time',
  tls: 'the TLS handshake failed: the certificate must be valid for the name and trusted by this machine',
  reset: 'the connection was closed before the answer was whole',
  blocked: 'the target is not public: give it a route with --route',
  aborted: 'the attempt was broken off',
}

/** Sorts a socket's error into one of few kinds, so that the same trouble reads the same on every machine. */
export function classify(error: unknown): Failure {
  const code = codeOf(error)
  // What the HTTP parser refuses is cut off by us.
  if (code.startsWith('HPE_')) return { error: 'reset', detail: `the answer was not HTTP (${code})` }
  const kind = KINDS[code] ?? (isTls(code) ? 'tls' : 'reset')
  if (kind === 'blocked') return { error: kind, detail: (error as Error).message }
  return { error: kind, detail: code === '' ? WORDS[kind] : `${WORDS[kind]} (${code})` }
}

/** A failure of ours, not of a socket. */
export const failure = (error: AttemptError, detail = WORDS[error]): Failure => ({ error, detail })

function codeOf(error: unknown): string {
  // Of the addresses that were tried, the first tells most.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const isTls = (code: string): boolean => /CERT|SSL|TLS|SIGNATURE|ISSUER|EPROTO|HOSTNAME/.test(code)
