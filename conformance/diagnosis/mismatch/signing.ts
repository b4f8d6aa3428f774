import { type Bytes, joined, toBase64 } from './form.ts'

/** The names of the functions, as the Web Crypto API has them. */
export type Hash = 'SHA-1' | 'SHA-256' | 'SHA-512'

/** Another way to sign. */
export interface Signing {
  /** What is wrong, as a clause with a subject. */
  readonly cause: string
  readonly fix: string
  readonly hash?: Hash
  /** What is signed; undefined where it does not exist. */
  readonly text: (t: string, body: Bytes) => Bytes | undefined
}

const ORDER = 'The program that signs must sign t, one dot and the raw body, in that order, with HMAC-SHA256.'
const SECONDS =
  'The program that signs must write t in seconds, and sign the same t: Math.floor(Date.now() / 1000) in JavaScript.'

export const CORRECT = (t: string, body: Bytes): Bytes => joined(t, '.', body)

/** The ways to sign that are wrong. */
export const SIGNINGS: readonly Signing[] = [
  { cause: 'the signature is of the body without t', fix: ORDER, text: (_, body) => body },
  {
    cause: 'the signature is of t and the body without the dot',
    fix: ORDER,
    text: (t, body) => joined(t, body),
  },
  {
    cause: 'the signature is of the body, a dot and t, in that order',
    fix: ORDER,
    text: (t, body) => joined(body, '.', t),
  },
  {
    cause: 'the signature is of t and the body with a colon',
    fix: ORDER,
    text: (t, body) => joined(t, ':', body),
  },
  {
    cause: 'the signature is of t and the body with a line break',
    fix: ORDER,
    text: (t, body) => joined(t, '\n', body),
  },
  {
    cause: 'the signature is of the body in base64',
    fix: ORDER,
    text: (t, body) => joined(t, '.', toBase64(body)),
  },
  {
    cause: 'the signature is of t in milliseconds, and the header has seconds',
    fix: SECONDS,
    text: (t, body) => (/^\d{1,12}$/.test(t) ? joined(`${t}000.`, body) : undefined),
  },
  {
    cause: 'the signature is of t in seconds, and the header has milliseconds',
    fix: SECONDS,
    text: (t, body) => (/^\d{13}$/.test(t) ? joined(`${t.slice(0, -3)}.`, body) : undefined),
  },
  { cause: 'the signature is HMAC-SHA1', fix: ORDER, hash: 'SHA-1', text: CORRECT },
  { cause: 'the signature is HMAC-SHA512', fix: ORDER, hash: 'SHA-512', text: CORRECT },
]
