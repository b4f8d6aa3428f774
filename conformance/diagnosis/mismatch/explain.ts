import { BODIES } from './bodies.ts'
import { encodingOf } from './encoding.ts'
import { type Bytes, isSame, type Mistake, utf8 } from './form.ts'
import { readHeader } from './header.ts'
import { SECRETS } from './secrets.ts'
import { CORRECT, type Hash, SIGNINGS } from './signing.ts'

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

/** Why it is refused. */
export interface Explanation {
  /** What is wrong, each as a clause with a subject; empty if the signature matches. */
  readonly causes: readonly string[]
  /** What to do about them. */
  readonly fixes: readonly string[]
}

/** A form of a part; without a mistake it is what was given. */
type Choice<Made> = readonly [made: Made, cause?: Mistake]

/** Larger bodies are not explained. */
export const LARGEST_BYTES = 1024 * 1024
/** Up to this size two mistakes are tried at the same time: that takes many hundreds of signatures. */
const LARGEST_FOR_TWO_BYTES = 64 * 1024

/**
 * Tries what goes wrong in practice with the body, the secret and the signed text, first one mistake, then two.
 * @returns the fewest mistakes without which the signature matches; undefined if there are none, or if the header lacks `t` or `v1`
 */
export async function explain(refused: Refused, hmac: Hmac): Promise<Explanation | undefined> {
  const { times, signatures, causes: ofHeader } = readHeader(refused.header)
  if (times.length === 0 || signatures.length === 0 || refused.body.length > LARGEST_BYTES) return undefined
  const bodies = bodiesOf(refused.body)
  const secrets = secretsOf(refused)
  const texts = times.flatMap(([t, ofTime]) =>
    [undefined, ...SIGNINGS].map((signing) => ({ t, signing, ofText: [ofTime, signing] })),
  )
  const most = refused.body.length > LARGEST_FOR_TWO_BYTES ? 1 : 2
  for (let count = 0; count <= most; count += 1) {
    for (const [key, ofSecret] of secrets) {
      for (const [body, ofBody] of bodies) {
        for (const { t, signing, ofText } of texts) {
          const made = [ofSecret, ofBody, ...ofText].filter((one) => one !== undefined)
          if (made.length !== count) continue
          const message = (signing?.text ?? CORRECT)(t, body)
          if (message === undefined) continue
          const encoding = encodingOf(await hmac(signing?.hash ?? 'SHA-256', key, message), signatures)
          if (encoding === undefined) continue
          const all = [...ofHeader, ...made, ...encoding]
          return { causes: all.map(({ cause }) => cause), fixes: [...new Set(all.map(({ fix }) => fix))] }
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
    if (other !== undefined && !choices.some(([made]) => isSame(made, other))) choices.push([other, form])
  }
  return choices
}

function secretsOf({ secret, also = {} }: Refused): Choice<Bytes>[] {
  const others = Object.entries(also).map(([name, other]): Choice<Bytes> => {
    const cause = `the signature was made with the secret of ${name}`
    return [utf8(other), { cause, fix: 'Use the signing secret of the endpoint that received the delivery.' }]
  })
  const made = SECRETS.flatMap((form): Choice<Bytes>[] => {
    const other = form.make(secret)
    return other === undefined ? [] : [[other, form]]
  })
  return [[utf8(secret)], ...others, ...made]
}

/** What a body shows that no form of it repairs; undefined if it shows nothing. */
export function lossOf(body: Bytes): string | undefined {
  const text = new TextDecoder().decode(body)
  if (text === '') return 'The body is empty: something has read it before, or it was not saved.'
  if (['[object Object]', 'undefined', '{}', '[]', 'null'].includes(text.trim()))
    return `The body is only ${text.trim()}: something has read or parsed it before.`
  if (text.includes('\uFFFD'))
    return 'The body contains U+FFFD: something decoded it and replaced bytes that were not UTF-8. Keep the raw bytes.'
  if (/^\s*[{[]/.test(text) && !isJson(text))
    return `The body is not complete JSON: it was cut off or changed. Compare its length, ${body.length} bytes, with the Content-Length of the delivery.`
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
