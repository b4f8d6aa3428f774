import type { Answer, Exchange } from '../model.ts'
import { hmac } from '../mutate.ts'
import { LEAST_SECRET_CHARACTERS } from '../secret.ts'
import { encoded, type Pattern } from './encoded.ts'

const PREFIX = /^whsec_/

/** Finds the signing secret, also without the prefix that all secrets have. */
export function secretPattern(secret: string): Pattern {
  const own = secret.replace(PREFIX, '')
  return encoded(Buffer.from(own.length < LEAST_SECRET_CHARACTERS ? secret : own))
}

/**
 * Finds the signatures that the request should have had, at each time that it states. A request that contains one itself
 * has none: a receiver that only echoes what it was sent reveals nothing.
 */
export function signaturePatterns({ delivery }: Exchange, secrets: readonly string[]): Pattern[] {
  const times = new Set([
    delivery.signed.t,
    ...delivery.signature.flatMap((line) => [...line.matchAll(/t=(\d+)/g)].map(([, t = '']) => t)),
  ])
  return secrets.flatMap((secret) =>
    [...times].map((t) => {
      const pattern = encoded(Buffer.from(hmac('sha256', secret, `${t}.`, delivery.body), 'hex'))
      return { test: (text: string) => pattern.test(text) && !pattern.test(requestOf(delivery)) }
    }),
  )
}

function requestOf({ headers, signature, route, body }: Exchange['delivery']): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [route?.('/') ?? '', ...signature, ...lines, body.toString('latin1')].join('\n')
}

/** The parts of an answer that may disclose something: its status line, the value of each header and the body. */
export function partsOf({ reason = '', headers, body }: Answer): string[] {
  return [reason, ...headers.map(([, value]) => value), body.toString('latin1')]
}
