import { createHash, createHmac } from 'node:crypto'
import type { Delivery } from '../contracts/webhook/delivery.ts'
import type { Bytes } from './mistakes/form.ts'
import { remembered } from './remember.ts'
import { isTimed, type Stated, type Verifier } from './verifier.ts'

/** What a receiver makes of a delivery before it looks at the event. */
export type Judgement = 'accepted' | 'missing' | 'malformed' | 'stale' | 'forged'

/** The age of a delivery at the end of the window depends on how long it traveled. */
const EDGE_SECONDS = 1
/** A larger body says nothing more about the signature, and hashing it takes time. */
const LARGEST_HASHED_BYTES = 256 * 1024

/** What a receiver that verifies in this way makes of a delivery; undefined when that cannot be said. */
export function judgementOf(verifier: Verifier, delivery: Delivery): Judgement | undefined {
  const { signed, madeAt } = delivery
  const stated = statedBy(delivery)
  if (stated === undefined || madeAt === undefined) return undefined
  if (verifier.trusts(stated.header)) return 'accepted'
  const { times, signatures, signed: covered } = verifier.entries(stated)
  const [t = ''] = times
  if (signatures.length === 0 || (stated.id === '' && signed.id !== '')) return 'missing'
  if (isTimed(signed.scheme)) {
    if (t === '') return 'missing'
    const seconds = verifier.seconds(t, madeAt)
    if (seconds === undefined) return 'malformed'
    const age = madeAt - seconds
    const inTime = verifier.inWindow(age)
    if (verifier.inWindow(age - EDGE_SECONDS) !== inTime || verifier.inWindow(age + EDGE_SECONDS) !== inTime)
      return undefined
    if (!inTime) return 'stale'
  }
  const text = { t: covered ?? t, id: stated.id ?? '' }
  const expected = expectedSignatures(verifier, delivery, text)
  if (expected === undefined) return undefined
  const isValid = (given: string) => expected.some((own) => verifier.same(own, given))
  return (verifier.needsAll ? signatures.every(isValid) : signatures.some(isValid)) ? 'accepted' : 'forged'
}

/** What the headers that decide about a delivery state; undefined where something else may decide. */
export const statedBy = remembered(
  ({ method, transport, body, signature, stamps, signed }: Delivery): Stated | undefined => {
    const { scheme } = signed
    if (method !== 'POST' || body.length > LARGEST_HASHED_BYTES) return undefined
    if (transport !== undefined && transport.kind !== 'chunked') return undefined
    const header = signature.join(',')
    const { separator, time } = scheme.header
    const isList = signature.length > 1 || header.includes(separator)
    // How a receiver decodes such bytes, joins such lines, or reads more than the one signature that a service sends.
    const mayDiffer = separator === ',' ? time === undefined && isList : signature.length > 1
    if (/[^\0-\x7f]/.test(header) || mayDiffer) return undefined
    if (scheme.stamps === undefined) return { header }
    const valueOf = (name: string) => stamps.find(([stamp]) => stamp === name)?.[1] ?? ''
    const { id, time: ofTime } = scheme.stamps
    return { header, ...(id !== undefined && { id: valueOf(id) }), time: valueOf(ofTime) }
  },
)

/** Many hypotheses compute the same signatures of the same bodies: by how they read the message, the keys, and the body. */
const computed = new WeakMap<
  Verifier['messages'],
  WeakMap<Verifier['keys'], WeakMap<Bytes, Map<string, string[] | undefined>>>
>()

interface SignedText {
  readonly t: string
  readonly id: string
}

function expectedSignatures(
  verifier: Verifier,
  { body, signed: { secret, scheme } }: Delivery,
  text: SignedText,
): string[] | undefined {
  const ofMessages = computed.get(verifier.messages) ?? new WeakMap<Verifier['keys'], never>()
  computed.set(verifier.messages, ofMessages)
  const ofKeys = ofMessages.get(verifier.keys) ?? new WeakMap<Bytes, never>()
  ofMessages.set(verifier.keys, ofKeys)
  const ofBody = ofKeys.get(body) ?? new Map<string, string[] | undefined>()
  ofKeys.set(body, ofBody)
  const rest = JSON.stringify([secret, text, verifier.hashes, scheme.digest])
  if (!ofBody.has(rest))
    ofBody.set(rest, signaturesOf(verifier, { body, secret, digest: scheme.digest, text }))
  return ofBody.get(rest)
}

function signaturesOf(
  verifier: Verifier,
  {
    body,
    secret,
    digest,
    text: { t, id },
  }: { body: Buffer; secret: string; digest: 'hex' | 'base64'; text: SignedText },
): string[] | undefined {
  const messages = verifier.messages(t, body, id)
  if (messages.includes(undefined)) return undefined
  return messages.flatMap((message) =>
    verifier.hashes.flatMap((hash) =>
      hash === 'digest'
        ? createHash('sha256')
            .update(message ?? '')
            .digest(digest)
        : verifier.keys(secret).map((key) =>
            createHmac(hash, key)
              .update(message ?? '')
              .digest(digest),
          ),
    ),
  )
}
