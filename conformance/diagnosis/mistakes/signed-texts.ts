import { type Bytes, joined, type OtherFunction, type SignedTextCode, toBase64, utf8 } from './form.ts'

/** Another text than `t`, a dot and the body. */
export type SignedText = {
  /** Undefined where it does not exist. */
  readonly text: (t: string, body: Bytes) => Bytes | undefined
} & (
  | { readonly code: SignedTextCode; readonly about?: undefined }
  // Only the program that signs can get the unit of `t` wrong.
  | { readonly code: 't_in_milliseconds' | 't_in_seconds'; readonly about: 'time' }
)

const signed = (code: SignedTextCode, text: SignedText['text']): SignedText => ({ code, text })
const decoded = (body: Bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
const utf16 = (text: string): Bytes =>
  Uint8Array.from(
    Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).flatMap((unit) => [
      unit & 0xff,
      unit >> 8,
    ]),
  )

/** What is signed, or verified, instead of `t`, a dot and the body. */
export const SIGNED_TEXTS: readonly SignedText[] = [
  signed('body_alone', (_, body) => body),
  signed('no_dot', (t, body) => joined(t, body)),
  signed('reversed', (t, body) => joined(body, '.', t)),
  signed('colon', (t, body) => joined(t, ':', body)),
  signed('line_break', (t, body) => joined(t, '\n', body)),
  signed('body_in_base64', (t, body) => joined(t, '.', toBase64(body))),
  {
    code: 't_in_milliseconds',
    about: 'time',
    text: (t, body) => (/^\d{1,12}$/.test(t) ? joined(`${t}000.`, body) : undefined),
  },
  {
    code: 't_in_seconds',
    about: 'time',
    text: (t, body) => (/^\d{13}$/.test(t) ? joined(`${t.slice(0, -3)}.`, body) : undefined),
  },
  signed('t_alone', (t) => utf8(`${t}.`)),
  signed('in_utf16', (t, body) => utf16(`${t}.${decoded(body)}`)),
  signed('printed_bytes', (t, body) => joined(t, ".b'", body, "'")),
]

export const OTHER_FUNCTIONS: readonly OtherFunction[] = [
  { hash: 'sha1', web: 'SHA-1' },
  { hash: 'sha512', web: 'SHA-512' },
  { hash: 'md5' },
  { hash: 'sha3-256' },
  { hash: 'digest' },
]
