import { type Bytes, toHex, utf8 } from './form.ts'

/** The kinds of characters with which a secret ends, the first that fits. */
const ENDS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/[\r\n]$/, 'a line break'],
  [/\s$/, 'a space'],
  [/["'`]$/, 'a quotation mark'],
  [/[a-z]$/, 'a lowercase letter'],
  [/[A-Z]$/, 'an uppercase letter'],
  [/\d$/, 'a digit'],
]

/**
 * What to compare if a receiver refuses a delivery that is valid, in one sentence. It shows no character of the secret.
 * @returns the end of "log there and compare: …"
 */
export async function comparisonOf({ body, secret }: { body: Bytes; secret: string }): Promise<string> {
  // Web Crypto, which Node.js has too: one implementation for the browser and the command line.
  const digest = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(body))))
  const end = ENDS.find(([pattern]) => pattern.test(secret))?.[1] ?? 'another character'
  const secretBytes = utf8(secret).length
  return `the body here has ${body.length} bytes and the SHA-256 ${digest}; the secret here has ${secretBytes} bytes and ends with ${end}.`
}

/** A line break after the secret, which a program that reads it may keep. @param source where it was: "the pasted secret" */
export const lineBreakAfter = (source: string): string =>
  `${source} ends with a line break, which is not part of it: it was left out here. A receiver that keeps it refuses every delivery. Remove it where the receiver reads the secret.`

/** Why a receiver refuses a valid delivery. */
export const REFUSED_ANYWAY =
  'If your receiver answered 401 to it, it hashes other bytes or has another secret. In the receiver, log these and compare, never the secret itself:'
