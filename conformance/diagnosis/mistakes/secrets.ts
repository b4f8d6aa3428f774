import type { Scheme } from '../../contracts/webhook/scheme.ts'
import {
  type Bytes,
  type Form,
  fromBase64,
  type PlainMistake,
  type SecretCode,
  sameBytes,
  utf8,
} from './form.ts'

/** Another form of a signing secret. */
export type SecretForm =
  | (Form<string, Bytes> & {
      /** The text of the secret without the mistake. */
      readonly corrected: (secret: string) => string | undefined
    })
  | {
      readonly code: SecretCode
      readonly make: (secret: string) => Bytes | undefined
      /** Set when a receiver may have it in this form too, beside a program that signs. */
      readonly isUsed: true
    }

const copied = (code: PlainMistake, make: (secret: string) => string | undefined): SecretForm => ({
  code,
  corrected: make,
  make: (secret) => {
    const made = make(secret)
    return made === undefined || made === secret ? undefined : utf8(made)
  },
})
const used = (code: SecretCode, make: (secret: string) => Bytes | undefined): SecretForm => ({
  code,
  make: (secret) => {
    const made = make(secret)
    return made === undefined || sameBytes(made, utf8(secret)) ? undefined : made
  },
  isUsed: true,
})

const afterPrefix = (secret: string) => secret.slice(secret.indexOf('_') + 1)

/** As decoders do that skip what they cannot read. */
function base64(text: string): Bytes | undefined {
  const digits = text.replace(/=.*$/s, '').replace(/[^\w+/-]/g, '')
  return fromBase64(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
}
function hexadecimal(text: string): Bytes | undefined {
  const [digits] = /^(?:[\da-f]{2})+/i.exec(text) ?? []
  if (digits === undefined) return undefined
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** The forms of a signing secret: first mistakes of copying, then those of a program that signs or verifies. */
const SECRETS: readonly SecretForm[] = [
  copied('secret_whitespace', (secret) => secret.trim()),
  copied('secret_quoted', (secret) => /^(["'`])(.*)\1$/.exec(secret.trim())?.[2]),
  copied('secret_named', (secret) => /^[a-z_][\w ]*[=:]\s*["']?([^"'=][^"']*)/i.exec(secret.trim())?.[1]),
  copied('secret_prefix_lost', (secret) => (secret.startsWith('whsec_') ? undefined : `whsec_${secret}`)),
  used('without_prefix', (secret) => utf8(afterPrefix(secret))),
  used('after_last_underscore', (secret) => utf8(secret.slice(secret.lastIndexOf('_') + 1))),
  used('from_base64', (secret) => base64(afterPrefix(secret))),
  used('whole_from_base64', base64),
  used('from_hexadecimal', (secret) => hexadecimal(afterPrefix(secret))),
  used('with_line_feed', (secret) => utf8(`${secret}\n`)),
  used('with_crlf', (secret) => utf8(`${secret}\r\n`)),
  used('in_quotation_marks', (secret) => utf8(`"${secret}"`)),
  copied('secret_empty', () => ''),
]

/** The key that a service makes of a secret. */
export function keyBytes(key: Scheme['key'], secret: string): Bytes {
  if (key === 'text') return utf8(secret)
  const { base64After: prefix } = key
  return base64(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret) ?? new Uint8Array()
}

/** The forms of a secret of which the service makes its key in this way: each makes another key. */
export function secretFormsOf(key: Scheme['key']): readonly SecretForm[] {
  if (key === 'text') return SECRETS
  const other = (make: SecretForm['make']) => (secret: string) => {
    const made = make(secret)
    return made === undefined || sameBytes(made, keyBytes(key, secret)) ? undefined : made
  }
  const asText = used('as_text', () => undefined)
  // What the service does is no mistake.
  const others = SECRETS.filter(({ code }) => code !== 'from_base64')
  return [{ ...asText, make: utf8 }, ...others].map((form): SecretForm => {
    if (!('corrected' in form)) return { ...form, make: other(form.make) }
    const { corrected } = form
    const make = (secret: string) => {
      const text = corrected(secret)
      return text === undefined ? undefined : keyBytes(key, text)
    }
    return { ...form, make: other(make) }
  })
}
