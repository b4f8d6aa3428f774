import type { Scheme } from '../../contracts/webhook/scheme.ts'
import { BODIES } from '../mistakes/bodies.ts'
import {
  type Bytes,
  fromBase64,
  type Hash,
  type Mistake,
  sameBytes,
  toBase64,
  toHex,
} from '../mistakes/form.ts'
import { keyBytes, secretFormsOf } from '../mistakes/secrets.ts'
import { OTHER_FUNCTIONS, type SignedText, signedBy, signedTextsOf } from '../mistakes/signed-texts.ts'
import { readHeader, type Stamped } from './header.ts'

/** Why a signature does not match. */
export interface Explanation {
  /** The mistakes without which it matches; none if it does. */
  readonly mistakes: readonly Mistake[]
  /** The bytes that were signed. */
  readonly signed: Bytes
  /** The bytes that the service signs, with the body that was given. */
  readonly hashed: Bytes
}

/** Computes an HMAC: with `node:crypto`, or with the Web Crypto API in a browser. */
export type Hmac = (hash: Hash, key: Bytes, message: Bytes) => Bytes | Promise<Bytes>

/** A delivery that a verifier refuses. */
export interface Refused extends Stamped {
  readonly body: Bytes
  readonly secret: string
  /** The secrets of other endpoints, by name. */
  readonly also?: Readonly<Record<string, string>>
}

/** A form of a part; without a mistake it is what was given. */
type Choice<Made> = readonly [made: Made, cause?: Mistake]

interface Signing {
  readonly mistake?: Mistake
  readonly hash: Hash
  readonly text: SignedText['text']
}

/** The ways to sign: as the service does, over another text, or with another function. */
function signingsOf(parts: Scheme['signed']): readonly Signing[] {
  const text: SignedText['text'] = (t, body, id) => signedBy(parts, t, body, id)
  return [
    { hash: 'SHA-256', text },
    ...signedTextsOf(parts).map((mistake) => ({ mistake, hash: 'SHA-256', text: mistake.text }) as const),
    ...OTHER_FUNCTIONS.flatMap((other): Signing | [] =>
      other.web === undefined
        ? []
        : { mistake: { code: 'other_function', data: { hash: other.hash } }, hash: other.web, text },
    ),
  ]
}

/** Larger bodies are not explained. */
export const LARGEST_BYTES = 1024 * 1024
/** Up to this size two mistakes are tried at the same time: that takes many hundreds of signatures. */
const LARGEST_FOR_TWO_BYTES = 64 * 1024

/**
 * Tries what goes wrong in practice with the body, the secret and the signed text, first one mistake, then two.
 * @returns the fewest mistakes without which the signature matches; undefined if there are no such mistakes, or if the header lacks the signature, or nothing states the time
 */
export async function explain(refused: Refused, hmac: Hmac): Promise<Explanation | undefined> {
  const { scheme, id } = refused
  const { times, signatures, causes: ofHeader } = readHeader(refused)
  if (times.length === 0 || signatures.length === 0 || refused.body.length > LARGEST_BYTES) return undefined
  const bodies = bodiesOf(refused.body)
  const secrets = secretsOf(refused)
  const signings = signingsOf(scheme.signed)
  const texts = times.flatMap(([t, ofTime]) =>
    signings.map((signing) => ({ t, signing, ofText: [ofTime, signing.mistake] })),
  )
  const most = refused.body.length > LARGEST_FOR_TWO_BYTES ? 1 : 2
  for (let count = 0; count <= most; count += 1) {
    for (const [key, ofSecret] of secrets) {
      for (const [body, ofBody] of bodies) {
        for (const { t, signing, ofText } of texts) {
          const made = [ofSecret, ofBody, ...ofText].filter((one) => one !== undefined)
          if (made.length !== count) continue
          const message = signing.text(t, body, id)
          if (message === undefined) continue
          const encoding = encodingOf(scheme.digest, await hmac(signing.hash, key, message), signatures)
          if (encoding === undefined) continue
          return {
            mistakes: [...ofHeader, ...made, ...encoding],
            signed: message,
            hashed: signedBy(scheme.signed, times[0]?.[0] ?? t, refused.body, id),
          }
        }
      }
    }
  }
  return undefined
}

function bodiesOf(body: Bytes): Choice<Bytes>[] {
  const choices: Choice<Bytes>[] = [[body]]
  for (const form of BODIES) {
    const other = form.make(body)
    if (other !== undefined && !choices.some(([made]) => sameBytes(made, other))) choices.push([other, form])
  }
  return choices
}

function secretsOf({ secret, also = {}, scheme: { key } }: Refused): Choice<Bytes>[] {
  const others = Object.entries(also).map(([name, other]): Choice<Bytes> => {
    return [keyBytes(key, other), { code: 'other_secret', data: { name } }]
  })
  const made = secretFormsOf(key).flatMap((form): Choice<Bytes>[] => {
    const other = form.make(secret)
    return other === undefined ? [] : [[other, form]]
  })
  return [[keyBytes(key, secret)], ...others, ...made]
}

/** Fewer digits than these may match by chance. */
const LEAST_DIGITS = 8
const LEAST_DIGITS_INSIDE = 12

/** Whether a value has the form of a signature, in hexadecimal or base64. */
export const isDigest = (value: string): boolean =>
  /^[\da-f]{64}$/i.test(value) || fromBase64(value)?.length === 32

/** How a signature is written that matches: undefined if none does, and empty if it is written as it must be. */
function encodingOf(
  digest: Scheme['digest'],
  mac: Bytes,
  signatures: readonly string[],
): Mistake[] | undefined {
  const written = { hex: toHex(mac), base64: toBase64(mac) }
  if (signatures.includes(written[digest])) return []
  for (const given of signatures) {
    const mistake = digest === 'hex' ? mistakeOf(given, written) : mistakeInBase64(given, written)
    if (mistake !== undefined) return [mistake]
  }
  return undefined
}

type Written = Readonly<Record<Scheme['digest'], string>>

/** The same without padding and in the usual alphabet. */
const plainBase64 = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')

function mistakeOf(given: string, { hex, base64 }: Written): Mistake | undefined {
  const lower = given.toLowerCase()
  if (lower === hex) return { code: 'v1_uppercase' }
  if (plainBase64(given) === plainBase64(base64)) return { code: 'v1_in_base64' }
  const at = lower.indexOf(hex)
  if (at !== -1) return surrounded(lower, at, hex)
  if (lower.replaceAll(/\s/g, '') === hex) return { code: 'v1_broken' }
  const digits = lower.replaceAll(/[^\da-f]/g, '')
  if (digits === hex) return { code: 'v1_separated' }
  return digits.length >= LEAST_DIGITS && digits.length < hex.length ? cutOf(digits, hex) : undefined
}

function mistakeInBase64(given: string, { hex, base64 }: Written): Mistake | undefined {
  if (given.toLowerCase() === hex) return { code: 'v1_in_hexadecimal' }
  if (plainBase64(given) === plainBase64(base64)) return { code: 'v1_in_base64url' }
  const at = given.indexOf(base64)
  if (at !== -1) return surrounded(given, at, base64)
  if (given.replaceAll(/\s/g, '') === base64) return { code: 'v1_broken' }
  const digits = given.replaceAll(/[^\w+/=-]/g, '')
  return digits.length >= LEAST_DIGITS && digits.length < base64.length ? cutOf(digits, base64) : undefined
}

const surrounded = (given: string, at: number, own: string): Mistake => ({
  code: 'v1_surrounded',
  data: { isPreceded: at > 0, isFollowed: at + own.length < given.length },
})

/** How a signature was cut. */
function cutOf(digits: string, hex: string): Mistake | undefined {
  const cut = (part: 'first' | 'last' | 'middle'): Mistake => ({
    code: 'v1_cut',
    data: { part, digits: digits.length },
  })
  if (hex.startsWith(digits)) return cut('first')
  if (hex.endsWith(digits)) return cut('last')
  return digits.length >= LEAST_DIGITS_INSIDE && hex.includes(digits) ? cut('middle') : undefined
}
