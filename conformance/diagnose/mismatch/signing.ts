import { type Bytes, joined, toBase64 } from './form.ts'

/** The names of the functions, as the Web Crypto API has them. */
export type Hash = 'SHA-1' | 'SHA-256' | 'SHA-512'

/** Another way to sign. */
export interface Signing {
  /** What is different, as the end of "matches if …". */
  readonly change: string
  readonly fix: string
  readonly hash?: Hash
  /** What is signed; undefined where it does not exist. */
  readonly text: (t: string, body: Bytes) => Bytes | undefined
}

const ORDER = 'Sign t, one dot and the raw body, in that order, with HMAC-SHA256.'
const SECONDS = 'Write t in seconds, and sign the same t: Math.floor(Date.now() / 1000) in JavaScript.'

export const CORRECT = (t: string, body: Bytes): Bytes => joined(t, '.', body)

/** The ways to sign that are wrong. */
export const SIGNINGS: readonly Signing[] = [
  { change: 'the body is signed without t', fix: ORDER, text: (_, body) => body },
  { change: 't and the body are signed without the dot', fix: ORDER, text: (t, body) => joined(t, body) },
  { change: 'the body, a dot and t are signed', fix: ORDER, text: (t, body) => joined(body, '.', t) },
  { change: 't and the body are signed with a colon', fix: ORDER, text: (t, body) => joined(t, ':', body) },
  {
    change: 't and the body are signed with a line break',
    fix: ORDER,
    text: (t, body) => joined(t, '\n', body),
  },
  { change: 'the body is signed in base64', fix: ORDER, text: (t, body) => joined(t, '.', toBase64(body)) },
  {
    change: 't is signed in milliseconds',
    fix: SECONDS,
    text: (t, body) => (/^\d{1,12}$/.test(t) ? joined(`${t}000.`, body) : undefined),
  },
  {
    change: 't is signed in seconds',
    fix: SECONDS,
    text: (t, body) => (/^\d{13}$/.test(t) ? joined(`${t.slice(0, -3)}.`, body) : undefined),
  },
  { change: 'it is signed with HMAC-SHA1', fix: ORDER, hash: 'SHA-1', text: CORRECT },
  { change: 'it is signed with HMAC-SHA512', fix: ORDER, hash: 'SHA-512', text: CORRECT },
]
