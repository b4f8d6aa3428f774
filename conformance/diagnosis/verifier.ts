import type { WebhookContract } from '../contracts/webhook/contract.ts'
import type { Scheme } from '../contracts/webhook/scheme.ts'
import { type Bytes, toBase64, utf8 } from './mistakes/form.ts'
import { keyBytes } from './mistakes/secrets.ts'
import { signedBy } from './mistakes/signed-texts.ts'
import { knownIn, remembered } from './remember.ts'

/** What a verifier has to know of a service: how it signs, its usual tolerance, how receivers answer, and what redeliveries share. */
export type Terms = Pick<
  WebhookContract,
  'scheme' | 'windowSeconds' | 'acknowledgedBy' | 'refusesWith' | 'dedupe'
>

/** What the headers of a delivery state. */
export interface Stated {
  /** The value of the signature header. */
  readonly header: string
  /** What the headers beside it state, where the service has such headers. */
  readonly id?: string | undefined
  readonly time?: string | undefined
}

/**
 * How a receiver verifies, in the parts that receivers get wrong. A part answers undefined where nothing can be said
 * about such a receiver.
 */
export interface Verifier {
  /** The entries of the signature header, with what other headers state. */
  readonly entries: (stated: Stated) => {
    readonly times: readonly string[]
    readonly signatures: readonly string[]
    /** The time that the signature covers, where it is not the first of the times. */
    readonly signed?: string | undefined
  }
  /** Unix seconds; undefined when the time is malformed. */
  readonly seconds: (t: string, now: number) => number | undefined
  /** `age` in seconds, negative for the future. */
  readonly inWindow: (age: number) => boolean
  readonly keys: (secret: string) => readonly Bytes[]
  readonly hashes: readonly string[]
  /** What the signature may cover; undefined when the body cannot be read that way. */
  readonly messages: (t: string, body: Bytes, id: string) => readonly (Bytes | undefined)[]
  readonly same: (expected: string, given: string) => boolean
  /** Whether every signature has to be valid, and not only one. */
  readonly needsAll: boolean
  /** Whether a missing header or entry is accepted. */
  readonly trusts: (header: string) => boolean
}

/** The values that follow a label, in the order of the header. */
export const labeled = (header: string, { separator }: Scheme['header'], label: string): string[] =>
  header.split(separator).flatMap((entry) => (entry.startsWith(label) ? entry.slice(label.length) : []))

/** Whether a service signs the time of its deliveries. */
export const isTimed = ({ signed }: Scheme): boolean => signed.includes('time')

/** How many characters a signature has in a header. */
export const lengthOf = ({ digest }: Scheme): number =>
  digest === 'hex' ? 64 : toBase64(new Uint8Array(32)).length

/** The seconds that a time states which is written in digits. */
export const secondsIn = (t: string): number | undefined => (/^\d{1,12}$/.test(t) ? Number(t) : undefined)

/**
 * A receiver that verifies as the service requires. Most hypotheses ask it for something about each delivery, so it
 * remembers what takes long.
 */
export const correctOf = remembered(({ scheme, windowSeconds }: Terms): Verifier => {
  const { header, signed, key } = scheme
  const keys = new Map<string, readonly Bytes[]>()
  const messagesOf = remembered<Bytes, Map<string, readonly Bytes[]>>(() => new Map())
  return {
    entries: remembered((stated) => ({
      times:
        header.time === undefined
          ? [stated.time].filter((time) => time !== undefined)
          : labeled(stated.header, header, header.time),
      signatures: labeled(stated.header, header, header.label),
    })),
    seconds: secondsIn,
    inWindow: (age) => Math.abs(age) <= windowSeconds,
    keys: (secret) => knownIn(keys, secret, () => [keyBytes(key, secret)]),
    hashes: ['sha256'],
    messages: (t, body, id) =>
      knownIn(messagesOf(body), `${t.length} ${t}${id}`, () => [signedBy(signed, t, body, id)]),
    same: (expected, given) => expected === given,
    needsAll: false,
    trusts: () => false,
  }
})

export const asBytes = (text: string | Bytes): Bytes => (typeof text === 'string' ? utf8(text) : text)
