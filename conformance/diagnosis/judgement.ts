import { createHash, createHmac } from 'node:crypto'
import type { Delivery } from '../contracts/webhook/delivery.ts'
import type { Bytes } from './mistakes/form.ts'
import { remembered } from './remember.ts'
import type { Verifier } from './verifier.ts'

/** What a receiver makes of a delivery before it looks at the event. */
export type Judgement = 'accepted' | 'missing' | 'malformed' | 'stale' | 'forged'

/** The age of a delivery at the end of the window depends on how long it traveled. */
const EDGE_SECONDS = 1
/** A larger body says nothing more about the signature, and hashing it takes time. */
const LARGEST_HASHED_BYTES = 256 * 1024

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
const headerOf = remembered(({ method, transport, body, signature }: Delivery): string | undefined => {
  if (method !== 'POST' || body.length > LARGEST_HASHED_BYTES) return undefined
  if (transport !== undefined && transport.kind !== 'chunked') return undefined
  const header = signature.join(',')
  // How a receiver decodes such bytes differs from language to language.
  return /[^\0-\x7f]/.test(header) ? undefined : header
})

/** Many hypotheses compute the same signatures of the same bodies: by how they read the message, the keys, and the body. */
const computed = new WeakMap<
  Verifier['messages'],
  WeakMap<Verifier['keys'], WeakMap<Bytes, Map<string, string[] | undefined>>>
>()

function expectedSignatures(
  verifier: Verifier,
  secret: string,
  t: string,
  body: Buffer,
): string[] | undefined {
  const ofMessages = computed.get(verifier.messages) ?? new WeakMap<Verifier['keys'], never>()
  computed.set(verifier.messages, ofMessages)
  const ofKeys = ofMessages.get(verifier.keys) ?? new WeakMap<Bytes, never>()
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
