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

interface SignedText {
  readonly t: string
  readonly id: string
}

type Signatures = readonly string[] | undefined
type SignaturesOf = WeakMap<Bytes, Map<string, Signatures>>

/** Many hypotheses compute the same signatures of the same bodies: by how they read the message, the keys, and the body. */
const shared = remembered<Verifier['messages'], (keys: Verifier['keys']) => Map<string, SignaturesOf>>(() =>
  remembered(() => new Map()),
)
const signaturesBy = remembered(({ messages, keys, hashes }: Verifier): SignaturesOf => {
  const byHashes = shared(messages)(keys)
  const which = hashes.join()
  const known: SignaturesOf = byHashes.get(which) ?? new WeakMap()
  byHashes.set(which, known)
  return known
})

function expectedSignatures(
  verifier: Verifier,
  { body, signed: { secret, scheme } }: Delivery,
  text: SignedText,
): Signatures {
  const known = signaturesBy(verifier)
  const ofBody = known.get(body) ?? new Map<string, Signatures>()
  known.set(body, ofBody)
  // With these lengths, no two are equal by chance.
  const which = `${scheme.digest} ${text.t.length} ${text.id.length} ${text.t}${text.id}${secret}`
  if (!ofBody.has(which))
    ofBody.set(which, signaturesOf(verifier, { body, secret, digest: scheme.digest, text }))
  return ofBody.get(which)
}

function signaturesOf(
  verifier: Verifier,
  {
    body,
    secret,
    digest,
    text: { t, id },
  }: { body: Buffer; secret: string; digest: 'hex' | 'base64'; text: SignedText },
): Signatures {
  const messages = verifier.messages(t, body, id)
  if (messages.includes(undefined)) return undefined
  return messages.flatMap((message = NOTHING) =>
    verifier.hashes.flatMap((hash) =>
      hash === 'digest'
        ? createHash('sha256').update(message).digest(digest)
        : verifier.keys(secret).map((key) => hmacOf(message, key, hash, digest)),
    ),
  )
}

const NOTHING: Bytes = new Uint8Array()

/** By the message and the key: a receiver that accepts more than it should accepts the correct signature too. */
const hmacBy = remembered<Bytes, (key: Bytes) => Map<string, string>>(() => remembered(() => new Map()))

function hmacOf(message: Bytes, key: Bytes, hash: string, digest: 'hex' | 'base64'): string {
  const known = hmacBy(message)(key)
  const which = `${hash} ${digest}`
  const hmac = known.get(which) ?? createHmac(hash, key).update(message).digest(digest)
  known.set(which, hmac)
  return hmac
}
