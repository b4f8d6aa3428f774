/** Why a signature does not match. */
export interface Mistake {
  /** What is wrong, as a clause with a subject: "v1 is in base64". */
  readonly cause: string
  /** What to do about it, in one sentence. */
  readonly fix: string
}

/** Another form of what was given, in which the signature may match. */
export interface Form<Given, Made = Given> extends Mistake {
  /** Undefined where the form does not exist, or is the same. */
  readonly make: (given: Given) => Made | undefined
}

/** A sequence of bytes, as `TextEncoder` returns it. */
export type Bytes = Uint8Array

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** The text of valid UTF-8, byte-order mark included; undefined for other bytes. */
export function textOf(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Another text; bytes that are not UTF-8 have none. */
export const text = (
  cause: string,
  fix: string,
  make: (body: string) => string | undefined,
): Form<Bytes> => ({
  cause,
  fix,
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

export const toBase64 = (bytes: Bytes): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

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
export const isSame = (a: Bytes, b: Bytes): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at])
