/** A mistake of which no more is known than which it is. */
export type PlainMistake =
  | 'backslashes_added'
  | 'base64_body'
  | 'byte_order_mark_added'
  | 'byte_order_mark_lost'
  | 'crlf_made'
  | 'curly_quotation_marks'
  | 'form_parsed'
  | 'head_added'
  | 'header_spelled'
  | 'json_formatted'
  | 'json_string'
  | 'lf_made'
  | 'line_break_added'
  | 'plus_signs_lost'
  | 'python_bytes'
  | 'quotation_marks_added'
  | 'secret_empty'
  | 'secret_named'
  | 'secret_prefix_lost'
  | 'secret_quoted'
  | 'secret_whitespace'
  | 'signature_label'
  | 'signed_utf8_twice'
  | 't_in_milliseconds'
  | 't_in_seconds'
  | 't_written'
  | 'utf16'
  | 'utf8_twice'
  | 'utf8_twice_from_windows'
  | 'v1_broken'
  | 'v1_in_base64'
  | 'v1_in_base64url'
  | 'v1_in_hexadecimal'
  | 'v1_separated'
  | 'v1_uppercase'
  | 'whitespace_added'

/** The forms in which a program may use a secret. */
export type SecretCode =
  | 'without_prefix'
  | 'after_last_underscore'
  | 'from_base64'
  | 'whole_from_base64'
  | 'from_hexadecimal'
  | 'with_line_feed'
  | 'with_crlf'
  | 'in_quotation_marks'
  | 'as_text'

/** What may be signed, or verified, instead of what the service signs, such as `t`, a dot and the body. */
export type SignedTextCode =
  | 'body_alone'
  | 'no_dot'
  | 'reversed'
  | 'colon'
  | 'line_break'
  | 'body_in_base64'
  | 't_alone'
  | 'in_utf16'
  | 'printed_bytes'
  | 'dot'
  | 'id_left_out'
  | 'time_left_out'
  | 'version_left_out'

/** What is known of the other mistakes. */
export interface MistakeData {
  /** What surrounds its value; spaces, if nothing else does. */
  header_wrapped: { readonly isNamed: boolean; readonly isQuoted: boolean; readonly isBroken: boolean }
  /** The serializer that writes what was signed. */
  json_of: { readonly by: string }
  line_break_lost: { readonly end: 'LF' | 'CRLF' }
  normalized: { readonly form: 'NFC' | 'NFD' }
  other_function: { readonly hash: OtherFunction['hash'] }
  /** The name of the endpoint whose secret it is. */
  other_secret: { readonly name: string }
  v1_cut: { readonly part: 'first' | 'last' | 'middle'; readonly digits: number }
  v1_surrounded: { readonly isPreceded: boolean; readonly isFollowed: boolean }
}

/** A function other than HMAC-SHA256, by its name in Node.js; `digest` is SHA-256 without a key. */
export interface OtherFunction {
  readonly hash: 'sha1' | 'sha512' | 'md5' | 'sha3-256' | 'digest'
  /** As the Web Crypto API names it, and undefined where that lacks it: nobody signs with it by mistake. */
  readonly web?: Hash
}

/** The hash functions of an HMAC, as the Web Crypto API names them. */
export type Hash = 'SHA-1' | 'SHA-256' | 'SHA-512'

/** Why a signature does not match, as data; the report makes words of it. */
export type Mistake = (
  | { readonly code: PlainMistake | SecretCode | SignedTextCode; readonly data?: undefined }
  | {
      readonly [Code in keyof MistakeData]: { readonly code: Code; readonly data: MistakeData[Code] }
    }[keyof MistakeData]
) & {
  /** Set when it is about the time that was signed, or about CRLF, which a text field changes. */
  readonly about?: 'time' | 'crlf' | undefined
}

/** Another form of what was given, in which the signature may match. */
export type Form<Given, Made = Given> = Mistake & {
  /** Undefined where the form does not exist, or is the same. */
  readonly make: (given: Given) => Made | undefined
}

/** A sequence of bytes, as `TextEncoder` returns it. */
export type Bytes = Uint8Array

// Making one takes longer than most texts do.
const encoder = new TextEncoder()

export const utf8 = (text: string): Bytes => encoder.encode(text)

/** The text of valid UTF-8, byte-order mark included; undefined for other bytes. */
export function textOf(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Another text; bytes that are not UTF-8 have none. */
export const textForm = (mistake: Mistake, make: (body: string) => string | undefined): Form<Bytes> => ({
  ...mistake,
  make: (body) => {
    const given = textOf(body)
    const made = given === undefined ? undefined : make(given)
    return made === undefined ? undefined : utf8(made)
  },
})

/** One byte for each character below U+0100; undefined if there is another one. */
export function latin1(text: string): Bytes | undefined {
  return /^[\0-\xff]*$/.test(text) ? Uint8Array.from(text, (unit) => unit.charCodeAt(0)) : undefined
}

/** Decodes base64 in either alphabet; undefined for other text. */
export function fromBase64(text: string): Bytes | undefined {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=*$/, '')
  if (plain === '' || !/^[A-Za-z0-9+/]+$/.test(plain) || plain.length % 4 === 1) return undefined
  return latin1(atob(plain))
}

export function toBase64(bytes: Bytes): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

export const toHex = (bytes: Bytes): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export function joined(...parts: readonly (string | Bytes)[]): Bytes {
  const all = parts.map((part) => (typeof part === 'string' ? utf8(part) : part))
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of all) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Whether a form is only the same bytes again. */
export const sameBytes = (a: Bytes, b: Bytes): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at])
