import type { WireError } from '../exchange.ts'

const KINDS: Readonly<Record<string, WireError['code']>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'local',
  EMFILE: 'local',
  ENFILE: 'local',
}

const MESSAGES: Readonly<Record<WireError['code'], string>> = {
  refused: 'the connection was refused',
  reset: 'the connection was closed before a response arrived',
  timeout: 'no response arrived in time',
  dns: 'the host name could not be resolved',
  tls: 'the TLS handshake failed',
  unreachable: 'the host could not be reached',
  garbled: 'the response was not HTTP',
  local: 'this machine could not open a connection',
}

/** Classifies a socket error, so that reports are the same on every machine. */
export function classify(error: unknown): WireError {
  const code = codeOf(error)
  const kind = KINDS[code] ?? (isTls(code) ? 'tls' : code.startsWith('HPE_') ? 'garbled' : 'reset')
  return {
    code: kind,
    ...(code !== '' && { nodeCode: code }),
    message: code === '' || kind === 'timeout' ? MESSAGES[kind] : `${MESSAGES[kind]} (${code})`,
  }
}

/** The error of a delivery that got no response within the timeout. */
export function timedOut(ms: number): WireError {
  return { code: 'timeout', message: `no response arrived within ${ms} ms` }
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function isTls(code: string): boolean {
  return /CERT|SSL|TLS|SIGNATURE|ISSUER|EPROTO|HOSTNAME/.test(code)
}
