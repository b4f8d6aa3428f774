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

/** Classifies a socket error, so that reports are the same on every machine. */
export function classify(error: unknown): WireError {
  const code = codeOf(error)
  const kind = KINDS[code] ?? (isTls(code) ? 'tls' : code.startsWith('HPE_') ? 'garbled' : 'reset')
  return { code: kind, ...(code !== '' && { nodeCode: code }) }
}

/** The error of a delivery that got no response within the timeout. */
export function timedOut(ms: number): WireError {
  return { code: 'timeout', afterMs: ms }
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function isTls(code: string): boolean {
  return /CERT|SSL|TLS|SIGNATURE|ISSUER|EPROTO|HOSTNAME/.test(code)
}
