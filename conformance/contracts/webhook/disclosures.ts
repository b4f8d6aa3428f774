import { encoded, type Pattern } from '../encoded.ts'
import { LEAST_SECRET_CHARACTERS } from '../secret.ts'
import type { Disclosed, DisclosedBy } from './finding.ts'
import type { Answer, Exchange } from './model.ts'
import { signatureBy, signingKey } from './scheme.ts'

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
  return validSignatures(delivery, secrets).map((pattern) => ({
    test: (text: string) => pattern.test(text) && !pattern.test(requestOf(delivery)),
  }))
}

/** Whether a request contains a signature that is valid for it: it may be too old, or otherwise wrong. */
const isSigned = ({ delivery }: Exchange, secret: string): boolean =>
  validSignatures(delivery, [secret]).some((pattern) => pattern.test(requestOf(delivery)))

/** Finds what a request has to be signed with, at each time that it states. */
function validSignatures(delivery: Exchange['delivery'], secrets: readonly string[]): Pattern[] {
  const { scheme, id, t: own, older } = delivery.signed
  const { header, stamps } = scheme
  const schemes = older === undefined ? [scheme] : [scheme, older.scheme]
  const inHeader = delivery.signature.flatMap((line) => [...line.matchAll(/\b(\w+=)(\d+)/g)])
  const times = new Set([
    own,
    ...inHeader.flatMap(([, label, time = '']) => (label === header.time ? [time] : [])),
    ...delivery.stamps.flatMap(([name, value]) => (name === stamps?.time ? [value] : [])),
  ])
  return secrets.flatMap((secret) =>
    [...times].flatMap((t) =>
      schemes.map((by) => {
        const signature = signatureBy(by, signingKey(by, secret), { id, t, body: delivery.body })
        return encoded(Buffer.from(signature, by.digest))
      }),
    ),
  )
}

function requestOf({ headers, signature, olderSignature, route, body }: Exchange['delivery']): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [route?.('/') ?? '', ...signature, ...olderSignature, ...lines, body.toString('latin1')].join('\n')
}

/** Stack traces, and pages for developers, of the usual languages and frameworks. */
export const TRACES: readonly RegExp[] = [
  /^[\t ]+at .{1,500}:\d+:\d+\)?$/m,
  /node_modules\//,
  /Traceback \(most recent call last\)/,
  /^[\t ]+at [\w.$]+\([\w.]+\.java:\d+\)$/m,
  /goroutine \d+ \[/,
  /\.(?:rb|php|py|go|ts|js):\d+:(?:in |\d+)/,
  /#\d+ \/[\w/.-]+\.php\(\d+\)/,
  // The pages for developers of Laravel, PHP, Python and .NET, as JSON or as text.
  /"file":\s*"[^"]+\.(?:php|py|rb|js|ts)",\s*"line":\s*\d+/,
  /\.php on line \d+/,
  /File "[^"\n]+\.py", line \d+/,
  /\["[^"\n]+\.(?:py|rb|php|js|ts)",\s*\d+,/,
  /^[\t ]+at .{1,300} in .{1,300}:line \d+[\t ]*$/m,
  // Java and Kotlin, with the names of modules or as JSON.
  /(?:\b|\\t)at [\w.$/@<>-]{1,300}\(\w+\.(?:java|kt|scala|groovy):\d+\)/,
  /\bpanicked at [\w/.-]{1,300}\.rs:\d+/,
  /\b(?:lib|src)\/[\w/.-]{1,300}\.exs?:\d+: /,
]
const holdsTrace = (text: string): boolean => TRACES.some((trace) => trace.test(text))

/** The parts of an answer that may disclose something: its status line, each header's name and value, and the body. */
function textsOf({ reason = '', headers, body }: Answer): string[] {
  return [reason, ...headers.flat(), body.toString('latin1')]
}

/** Nothing shorter holds 16 characters of a secret, or a signature: as bytes it has others than those of ASCII. */
const LEAST = { secret: 16, bytes: 32, text: 43 } as const
const BEYOND_TEXT = /[^\t -~]/
/** How many characters of parts are remembered, so that what each answer repeats is searched once. */
const REMEMBERED_CHARACTERS = 256 * 1024

/** Searches every answer of a run. */
export interface Disclosures {
  readonly see: (exchanges: readonly Exchange[], caseId: string) => void
  readonly found: () => Disclosed
}

function mayHoldSignature(part: string): boolean {
  return part.length >= LEAST.text || (part.length >= LEAST.bytes && BEYOND_TEXT.test(part))
}

/** Creates the search of a run; it keeps no answer. */
export function createDisclosures(secret: string): Disclosures {
  const secretOf = secretPattern(secret)
  const known = new Set<string>()
  let room = REMEMBERED_CHARACTERS
  let found: Disclosed = {}

  /** A part that an earlier answer had too holds nothing that was not found there, and no signature of this request. */
  function isNew(part: string): boolean {
    if (part.length < LEAST.secret || known.has(part)) return false
    if (part.length <= room) {
      known.add(part)
      room -= part.length
    }
    return true
  }

  /** Another delivery may get a part that was found beside a valid signature, and that counts. */
  function forget(part: string): void {
    if (known.delete(part)) room += part.length
  }

  function search(exchange: Exchange, caseId: string): void {
    const { answer, delivery } = exchange
    if (answer === undefined) return
    const parts = textsOf(answer).filter(isNew)
    if (parts.length === 0) return
    const what = (): DisclosedBy => ({
      status: answer.status,
      delivery: delivery.change ?? delivery.event ?? 'a delivery',
      case: caseId,
      exchange,
    })
    if (found.trace === undefined) {
      const traces = parts.filter((part) => holdsTrace(part) && !holdsTrace(requestOf(delivery)))
      if (traces.length > 0 && !isSigned(exchange, secret)) found = { ...found, trace: what() }
      else traces.forEach(forget)
    }
    if (found.secret === undefined && parts.some((part) => secretOf.test(part))) {
      found = { ...found, secret: what() }
    }
    if (found.signature !== undefined) return
    const long = parts.filter(mayHoldSignature)
    if (long.length === 0) return
    const signatures = signaturePatterns(exchange, [secret])
    if (signatures.some((signature) => long.some((part) => signature.test(part)))) {
      found = { ...found, signature: what() }
    }
  }

  return {
    see(exchanges, caseId) {
      if (found.secret !== undefined && found.signature !== undefined && found.trace !== undefined) return
      for (const exchange of exchanges) search(exchange, caseId)
    },
    found: () => found,
  }
}
