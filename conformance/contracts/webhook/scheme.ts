import { createHmac } from 'node:crypto'
import type { HeaderLine } from '../../engine/delivery.ts'

/** A part of what a signature covers: the id or the time of the delivery, its body, or a fixed text. */
type Part = 'id' | 'time' | 'body' | { readonly text: string }

/** How a service signs its deliveries, as data. */
export interface Scheme {
  /** What the HMAC covers, in order. */
  readonly signed: readonly Part[]
  /** Its hash function. Default SHA-256. */
  readonly hash?: 'sha1' | 'sha256'
  readonly digest: 'hex' | 'base64'
  /** What the key is: the text of the secret, or the bytes that it states in base64 after a prefix. */
  readonly key: 'text' | { readonly base64After: string }
  /** The header with the signature: entries, each a label and a value. */
  readonly header: {
    readonly name: string
    readonly separator: string
    readonly label: string
    /** The label of the time, where this header states it too. */
    readonly time?: string
    /** How many signatures a receiver has to read at most, where there is a limit. */
    readonly most?: number
  }
  /** The headers that state the id, if one is signed, and the time, where the header with the signature does not. */
  readonly stamps?: { readonly id?: string; readonly time: string }
  /** What the service sends beside it for receivers that know no other: the same, by an older hash function, in a header of its own. */
  readonly older?: Required<Pick<Scheme, 'hash' | 'header'>>
}

/** The scheme by which the service also signs for older receivers. */
export function olderOf({ older, ...scheme }: Scheme): Scheme | undefined {
  return older && { ...scheme, ...older }
}

/** What the redeliveries of a delivery have in common, by which a receiver recognizes them. */
export interface DedupeKey {
  /** Where it stands: the signed id of a delivery, a field of its body, or a header that no signature covers. */
  readonly in: 'id' | { readonly field: string } | { readonly header: string }
  /** Set where the keys are UUIDs: they have one length, and capitals make no difference. */
  readonly isUuid?: true
}

/** What is signed; the id is empty where a service has none. */
export interface Signing {
  readonly id: string
  readonly t: string
  readonly body: Uint8Array
}

/** The key that a service makes of a secret. */
export function signingKey({ key }: Pick<Scheme, 'key'>, secret: string): Buffer {
  if (key === 'text') return Buffer.from(secret)
  const { base64After: prefix } = key
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
}

/** Why no key can be made of a secret, as the end of a sentence; undefined for a usable one. */
export function secretFault({ key }: Pick<Scheme, 'key'>, secret: string): string | undefined {
  if (key === 'text') return undefined
  const { base64After: prefix } = key
  const encoded = secret.trim().startsWith(prefix) ? secret.trim().slice(prefix.length) : secret.trim()
  return /^[A-Za-z0-9+/]{4,}={0,2}$/.test(encoded)
    ? undefined
    : `must be base64, after ${prefix} if it has that prefix, as the service shows it`
}

/** The signature as the header has it, without its label. */
export function signatureBy(
  { signed, digest, hash = 'sha256' }: Scheme,
  key: string | Uint8Array,
  signing: Signing,
): string {
  const { id, t: time, body } = signing
  const mac = createHmac(hash, key)
  // Piece by piece, so that the body stays bytes.
  for (const part of signed) mac.update(typeof part === 'string' ? { id, time, body }[part] : part.text)
  return mac.digest(digest)
}

/** The value of the header with these signatures, which are several during a rotation. */
export function headerWith({ header }: Scheme, t: string, ...signatures: readonly string[]): string {
  const { separator, label, time } = header
  const entries = time === undefined ? [] : [`${time}${t}`]
  return [...entries, ...signatures.map((signature) => `${label}${signature}`)].join(separator)
}

/** The header lines beside the signature. */
export function stampsWith({ stamps }: Scheme, { id, t }: Pick<Signing, 'id' | 't'>): HeaderLine[] {
  if (stamps === undefined) return []
  return [...(stamps.id === undefined ? [] : [[stamps.id, id] as const]), [stamps.time, t]]
}
