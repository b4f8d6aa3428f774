import { HarnessError } from './errors.ts'
import type { WireError } from './exchange.ts'

const FIXES: Readonly<Record<Exclude<WireError['code'], 'tls'>, string>> = {
  refused: 'start the receiver, or use the address that it listens on',
  reset: 'check that an HTTP server listens there',
  timeout: 'find out why the receiver does not respond, or raise "timeoutMs"',
  dns: 'check the host name',
  unreachable: 'check the address and the network',
  garbled: 'check that an HTTP server listens there',
  local: 'raise the open-file limit (ulimit -n), close other programs, or lower "concurrency"',
}

/** By the error code of Node.js; the first match applies. */
const TLS_FIXES: readonly (readonly [RegExp, string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_|UNTRUSTED|ISSUER/,
    'the certificate is self-signed or from an unknown CA: trust it with "ca" or NODE_EXTRA_CA_CERTS, or skip the check with "insecure"',
  ],
  [/ALTNAME|HOSTNAME/, 'use a host name that the certificate contains, or skip the check with "insecure"'],
  [/EXPIRED|NOT_YET_VALID/, 'renew the certificate, or skip the check with "insecure"'],
  [/(?:)/, 'check whether the URL should start with http://'],
]

const NO_RESPONSE: WireError = { code: 'reset', message: 'there was no response' }

/** The options that a fix can name. */
const NAMED = ['timeoutMs', 'concurrency', 'ca', 'insecure']

/**
 * The error of a run that cannot take place because no HTTP response arrives.
 *
 * @param what is unreachable: a URL, with its role where that is not clear
 */
export function unreachable(what: string, error: WireError | undefined): HarnessError {
  const { code, message, nodeCode = '' } = error ?? NO_RESPONSE
  const fix =
    code === 'tls' ? (TLS_FIXES.find(([pattern]) => pattern.test(nodeCode))?.[1] ?? '') : FIXES[code]
  return new HarnessError('unreachable', `could not reach ${what}: ${message}; ${fix}`, {
    names: NAMED.filter((name) => fix.includes(`"${name}"`)),
  })
}
