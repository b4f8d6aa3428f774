import { type Bytes, joined, utf8 } from './mistakes/form.ts'

/**
 * How a receiver verifies, in the parts that receivers get wrong. A part answers undefined where nothing can be said
 * about such a receiver.
 */
export interface Verifier {
  /** The entries of the signature header. */
  readonly entries: (header: string) => {
    readonly times: readonly string[]
    readonly signatures: readonly string[]
    /** The time that the signature covers, where it is not the first of the times. */
    readonly signed?: string | undefined
  }
  /** Unix seconds; undefined when `t` is malformed. */
  readonly seconds: (t: string, now: number) => number | undefined
  /** `age` in seconds, negative for the future. */
  readonly inWindow: (age: number) => boolean
  readonly keys: (secret: string) => readonly Bytes[]
  readonly hashes: readonly string[]
  /** What the signature may cover; undefined when the body cannot be read that way. */
  readonly messages: (t: string, body: Bytes) => readonly (Bytes | undefined)[]
  readonly same: (expected: string, given: string) => boolean
  /** Whether a missing header or entry is accepted. */
  readonly trusts: (header: string) => boolean
}

/** The values of an entry, such as `v1`, in the order of the header. */
export const labeled = (header: string, label: string): string[] =>
  header.split(',').flatMap((entry) => (entry.startsWith(`${label}=`) ? entry.slice(label.length + 1) : []))

/** What the service signs: `t`, a dot and the body. */
export const signedText = (t: string, body: string | Bytes): Bytes => joined(`${t}.`, body)

/** How far `t` may be from the time of the verification, in seconds. */
export const TOLERANCE_SECONDS = 300

/** A receiver that verifies as SPEC.md requires. */
export const CORRECT: Verifier = {
  entries: (header) => ({ times: labeled(header, 't'), signatures: labeled(header, 'v1') }),
  seconds: (t) => (/^\d{1,12}$/.test(t) ? Number(t) : undefined),
  inWindow: (age) => Math.abs(age) <= TOLERANCE_SECONDS,
  keys: (secret) => [utf8(secret)],
  hashes: ['sha256'],
  messages: (t, body) => [signedText(t, body)],
  same: (expected, given) => expected === given,
  trusts: () => false,
}
