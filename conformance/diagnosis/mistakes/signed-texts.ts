import type { Scheme } from '../../contracts/webhook/scheme.ts'
import { type Bytes, joined, type OtherFunction, type SignedTextCode, toBase64, utf8 } from './form.ts'

// Only the program that signs can get the unit of the time wrong.
type TimeCode = 't_in_milliseconds' | 't_in_seconds'

/** Another text than the service signs. */
export type SignedText = {
  /** Undefined where it does not exist; the id is that of the delivery, where the service signs one. */
  readonly text: (t: string, body: Bytes, id?: string) => Bytes | undefined
} & (
  | { readonly code: SignedTextCode; readonly about?: undefined }
  | { readonly code: TimeCode; readonly about: 'time' }
)

const signed = (code: SignedTextCode, text: SignedText['text']): SignedText => ({ code, text })
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
function utf16(text: string): Bytes {
  const bytes = new Uint8Array(2 * text.length)
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    bytes[2 * at] = unit & 0xff
    bytes[2 * at + 1] = unit >> 8
  }
  return bytes
}

/** What a service signs, in order. */
type Parts = Scheme['signed']

/** The bytes that a service signs: these parts of a delivery, one after the other. */
export const signedBy = (parts: Parts, t: string, body: Bytes, id = ''): Bytes =>
  joined(...parts.map((part) => (typeof part === 'string' ? { id, time: t, body }[part] : part.text)))

/** What is signed, or verified, instead of what a service signs. */
export function signedTextsOf(parts: Parts): readonly SignedText[] {
  const isFixed = (part: Parts[number]) => typeof part !== 'string'
  const has = (part: Parts[number]) => parts.includes(part)
  const of = (code: SignedTextCode, other: Parts | false): SignedText[] =>
    other === false || JSON.stringify(other) === JSON.stringify(parts)
      ? []
      : [signed(code, (t, body, id) => signedBy(other, t, body, id))]
  const separatedBy = (text: string) =>
    parts.some((part) => isFixed(part) && part.text === text)
      ? false
      : parts.map((part) => (isFixed(part) ? { text: part.text.replace(/[.:]/, text) } : part))
  /** Without a part, and the separator after it. */
  const without = (left: Parts[number]) =>
    parts.filter((part, at) => part !== left && !(isFixed(part) && parts[at - 1] === left))
  const withBody = (code: SignedTextCode, write: (body: Bytes) => Bytes): SignedText =>
    signed(code, (t, body, id) => signedBy(parts, t, write(body), id))
  const withTime = (code: TimeCode, write: (t: string) => string | undefined): SignedText[] =>
    has('time')
      ? [
          {
            code,
            about: 'time',
            text: (t, body, id) => {
              const written = write(t)
              return written === undefined ? undefined : signedBy(parts, written, body, id)
            },
          },
        ]
      : []
  return [
    ...of('body_alone', ['body']),
    ...of(
      'no_dot',
      parts.filter((part) => !isFixed(part)).length > 1 && parts.filter((part) => !isFixed(part)),
    ),
    ...of('reversed', parts.toReversed()),
    ...of('colon', separatedBy(':')),
    ...of('line_break', separatedBy('\n')),
    withBody('body_in_base64', (body) => utf8(toBase64(body))),
    ...withTime('t_in_milliseconds', (t) => (/^\d{1,12}$/.test(t) ? `${t}000` : undefined)),
    ...withTime('t_in_seconds', (t) => (/^\d{13}$/.test(t) ? t.slice(0, -3) : undefined)),
    ...of('t_alone', has('time') && parts.filter((part) => part !== 'body')),
    signed('in_utf16', (t, body, id) => utf16(decoder.decode(signedBy(parts, t, body, id)))),
    withBody('printed_bytes', (body) => joined("b'", body, "'")),
    ...of('dot', separatedBy('.')),
    ...of('id_left_out', has('id') && without('id')),
    ...of('time_left_out', has('id') && has('time') && without('time')),
    ...of('version_left_out', parts[0] !== undefined && isFixed(parts[0]) && parts.slice(1)),
  ]
}

export const OTHER_FUNCTIONS: readonly OtherFunction[] = [
  { hash: 'sha1', web: 'SHA-1' },
  { hash: 'sha512', web: 'SHA-512' },
  { hash: 'md5' },
  { hash: 'sha3-256' },
  { hash: 'digest' },
]
