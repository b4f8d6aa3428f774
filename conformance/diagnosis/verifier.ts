import { createHash, createHmac } from 'node:crypto'
import type { Delivery } from '../contracts/payment-service/delivery.ts'

/** What a receiver makes of a delivery before it looks at the event. */
export type Judgement = 'accepted' | 'missing' | 'malformed' | 'stale' | 'forged'

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
  readonly keys: (secret: string) => readonly (string | Buffer)[]
  readonly hashes: readonly string[]
  /** What the signature may cover; undefined when the body cannot be read that way. */
  readonly messages: (t: string, body: Buffer) => readonly (Buffer | undefined)[]
  readonly same: (expected: string, given: string) => boolean
  /** Whether a missing header or entry is accepted. */
  readonly trusts: (header: string) => boolean
}

/** The values of an entry, such as `v1`, in the order of the header. */
export const labeled = (header: string, label: string): string[] =>
  header.split(',').flatMap((entry) => (entry.startsWith(`${label}=`) ? entry.slice(label.length + 1) : []))

export const signedText = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))

/** A receiver that verifies as SPEC.md requires. */
export const CORRECT: Verifier = {
  entries: (header) => ({ times: labeled(header, 't'), signatures: labeled(header, 'v1') }),
  seconds: (t) => (/^\d{1,12}$/.test(t) ? Number(t) : undefined),
  inWindow: (age) => Math.abs(age) <= 300,
  keys: (secret) => [secret],
  hashes: ['sha256'],
  messages: (t, body) => [signedText(`${t}.`, body)],
  same: (expected, given) => expected === given,
  trusts: () => false,
}

/** The age of a delivery at the end of the window depends on how long it traveled. */
const EDGE_SECONDS = 1
/** A larger body says nothing more about the signature, and hashing it takes time. */
const LARGEST_BYTES = 256 * 1024

/** What a receiver that verifies in this way makes of a delivery; undefined when that cannot be said. */
export function judgementOf(verifier: Verifier, delivery: Delivery): Judgement | undefined {
  const { body, signed, madeAt } = delivery
  const header = headerOf(delivery)
  if (header === undefined || madeAt === undefined) return undefined
  if (verifier.trusts(header)) return 'accepted'
  const { times, signatures, signed: covered } = verifier.entries(header)
  const [t] = times
  if (t === undefined || t === '' || signatures.length === 0) return 'missing'
  const seconds = verifier.seconds(t, madeAt)
  if (seconds === undefined) return 'malformed'
  const age = madeAt - seconds
  const inTime = verifier.inWindow(age)
  if (verifier.inWindow(age - EDGE_SECONDS) !== inTime || verifier.inWindow(age + EDGE_SECONDS) !== inTime)
    return undefined
  if (!inTime) return 'stale'
  const expected = expectedSignatures(verifier, signed.secret, covered ?? t, body)
  if (expected === undefined) return undefined
  return signatures.some((given) => expected.some((own) => verifier.same(own, given))) ? 'accepted' : 'forged'
}

/** The signature header that decides about a delivery; undefined where something else may. */
function headerOf(delivery: Delivery): string | undefined {
  const known = headers.get(delivery) ?? { header: decidingHeader(delivery) }
  headers.set(delivery, known)
  return known.header
}

const headers = new WeakMap<Delivery, { readonly header: string | undefined }>()

function decidingHeader({ method, transport, body, signature }: Delivery): string | undefined {
  if (method !== 'POST' || body.length > LARGEST_BYTES) return undefined
  if (transport !== undefined && transport.kind !== 'chunked') return undefined
  const header = signature.join(',')
  // How a receiver decodes such bytes differs from language to language.
  return /[^\0-\x7f]/.test(header) ? undefined : header
}

/** Many hypotheses compute the same signatures of the same bodies: by how they read the message, the keys, and the body. */
const computed = new WeakMap<
  Verifier['messages'],
  WeakMap<Verifier['keys'], WeakMap<Buffer, Map<string, string[] | undefined>>>
>()

function expectedSignatures(
  verifier: Verifier,
  secret: string,
  t: string,
  body: Buffer,
): string[] | undefined {
  const ofMessages = computed.get(verifier.messages) ?? new WeakMap<Verifier['keys'], never>()
  computed.set(verifier.messages, ofMessages)
  const ofKeys = ofMessages.get(verifier.keys) ?? new WeakMap<Buffer, never>()
  ofMessages.set(verifier.keys, ofKeys)
  const ofBody = ofKeys.get(body) ?? new Map<string, string[] | undefined>()
  ofKeys.set(body, ofBody)
  const rest = JSON.stringify([secret, t, verifier.hashes])
  if (!ofBody.has(rest)) ofBody.set(rest, signaturesOf(verifier, secret, t, body))
  return ofBody.get(rest)
}

function signaturesOf(verifier: Verifier, secret: string, t: string, body: Buffer): string[] | undefined {
  const messages = verifier.messages(t, body)
  if (messages.includes(undefined)) return undefined
  return messages.flatMap((message) =>
    verifier.hashes.flatMap((hash) =>
      hash === 'digest'
        ? createHash('sha256')
            .update(message ?? '')
            .digest('hex')
        : verifier.keys(secret).map((key) =>
            createHmac(hash, key)
              .update(message ?? '')
              .digest('hex'),
          ),
    ),
  )
}
