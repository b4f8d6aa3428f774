import { BODIES } from '../mistakes/bodies.ts'
import {
  type Bytes,
  fromBase64,
  type Hash,
  type Mistake,
  sameBytes,
  toBase64,
  toHex,
  utf8,
} from '../mistakes/form.ts'
import { SECRETS } from '../mistakes/secrets.ts'
import { OTHER_FUNCTIONS, SIGNED_TEXTS } from '../mistakes/signed-texts.ts'
import { signedText } from '../verifier.ts'
import { readHeader } from './header.ts'

/** Computes an HMAC: with `node:crypto`, or with the Web Crypto API in a browser. */
export type Hmac = (hash: Hash, key: Bytes, message: Bytes) => Bytes | Promise<Bytes>

/** A delivery that a verifier refuses. */
export interface Refused {
  /** The value of the signature header. */
  readonly header: string
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
  readonly text: (t: string, body: Bytes) => Bytes | undefined
}

/** The ways to sign: as the service does, over another text, or with another function. */
const SIGNINGS: readonly Signing[] = [
  { hash: 'SHA-256', text: signedText },
  ...SIGNED_TEXTS.map((mistake) => ({ mistake, hash: 'SHA-256', text: mistake.text }) as const),
  ...OTHER_FUNCTIONS.flatMap((other): Signing | [] =>
    other.web === undefined
      ? []
      : {
          mistake: { code: 'other_function', data: { hash: other.hash } },
          hash: other.web,
          text: signedText,
        },
  ),
]

/** Larger bodies are not explained. */
export const LARGEST_BYTES = 1024 * 1024
/** Up to this size two mistakes are tried at the same time: that takes many hundreds of signatures. */
const LARGEST_FOR_TWO_BYTES = 64 * 1024

/**
 * Tries what goes wrong in practice with the body, the secret and the signed text, first one mistake, then two.
 * @returns the fewest mistakes without which the signature matches, none if it does; undefined if there are no such mistakes, or if the header lacks `t` or `v1`
 */
export async function mistakesOf(refused: Refused, hmac: Hmac): Promise<readonly Mistake[] | undefined> {
  const { times, signatures, causes: ofHeader } = readHeader(refused.header)
  if (times.length === 0 || signatures.length === 0 || refused.body.length > LARGEST_BYTES) return undefined
  const bodies = bodiesOf(refused.body)
  const secrets = secretsOf(refused)
  const texts = times.flatMap(([t, ofTime]) =>
    SIGNINGS.map((signing) => ({ t, signing, ofText: [ofTime, signing.mistake] })),
  )
  const most = refused.body.length > LARGEST_FOR_TWO_BYTES ? 1 : 2
  for (let count = 0; count <= most; count += 1) {
    for (const [key, ofSecret] of secrets) {
      for (const [body, ofBody] of bodies) {
        for (const { t, signing, ofText } of texts) {
          const made = [ofSecret, ofBody, ...ofText].filter((one) => one !== undefined)
          if (made.length !== count) continue
          const message = signing.text(t, body)
          if (message === undefined) continue
          const encoding = encodingOf(await hmac(signing.hash, key, message), signatures)
          if (encoding === undefined) continue
          return [...ofHeader, ...made, ...encoding]
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

function secretsOf({ secret, also = {} }: Refused): Choice<Bytes>[] {
  const others = Object.entries(also).map(([name, other]): Choice<Bytes> => {
    return [utf8(other), { code: 'other_secret', data: { name } }]
  })
  const made = SECRETS.flatMap((form): Choice<Bytes>[] => {
    const other = form.make(secret)
    return other === undefined ? [] : [[other, form]]
  })
  return [[utf8(secret)], ...others, ...made]
}

/** Fewer digits than these may match by chance. */
const LEAST_DIGITS = 8
const LEAST_DIGITS_INSIDE = 12

/** Whether a value has the form of a signature, in hexadecimal or base64. */
export const isDigest = (value: string): boolean =>
  /^[\da-f]{64}$/i.test(value) || fromBase64(value)?.length === 32

/** How a signature is written that matches: undefined if none does, and empty if it is written as it must be. */
function encodingOf(mac: Bytes, signatures: readonly string[]): Mistake[] | undefined {
  const hex = toHex(mac)
  if (signatures.includes(hex)) return []
  const base64 = toBase64(mac).replace(/=+$/, '')
  for (const given of signatures) {
    const mistake = mistakeOf(given, hex, base64)
    if (mistake !== undefined) return [mistake]
  }
  return undefined
}

function mistakeOf(given: string, hex: string, base64: string): Mistake | undefined {
  const lower = given.toLowerCase()
  if (lower === hex) return { code: 'v1_uppercase' }
  if (given.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '') === base64)
    return { code: 'v1_in_base64' }
  const at = lower.indexOf(hex)
  if (at !== -1)
    return {
      code: 'v1_surrounded',
      data: { isPreceded: at > 0, isFollowed: at + hex.length < lower.length },
    }
  if (lower.replaceAll(/\s/g, '') === hex) return { code: 'v1_broken' }
  const digits = lower.replaceAll(/[^\da-f]/g, '')
  if (digits === hex) return { code: 'v1_separated' }
  return digits.length >= LEAST_DIGITS && digits.length < hex.length ? cutOf(digits, hex) : undefined
}

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
