import { isUtf8 } from 'node:buffer'
import type { Delivery, Transport } from '../../contracts/webhook/delivery.ts'
import type { Candidate, Recognize } from '../cause.ts'
import { type Hypothesis, refusing, testAll } from '../hypothesis.ts'
import type { CauseForms } from '../statement.ts'
import type { Symptoms } from '../symptoms.ts'
import { contentTypeOf, isOpen } from '../symptoms.ts'

const requiring = (takes: (type: string) => boolean): Hypothesis =>
  refusing({ code: 'content_type_required' }, ({ delivery }) => !takes(contentTypeOf(delivery) ?? ''))

export const CONTENT_HYPOTHESES: readonly Hypothesis[] = [
  requiring((type) => type === 'application/json'),
  requiring((type) => type.startsWith('application/json')),
  requiring((type) => type.toLowerCase() === 'application/json'),
  requiring((type) => /^application\/json(?:$|[; ])/i.test(type) && !/charset="/i.test(type)),
  requiring((type) => type === '' || type.startsWith('application/json')),
]

/** A valid body above this size is one that a common limit refuses. */
const SUSPICIOUS_BYTES = 8 * 1024

/** Every valid body above a size is refused, and none below. */
function bodyLimit({ valid }: Symptoms): Candidate[] {
  const plain = valid.filter(({ exchange }) => exchange.error === undefined)
  const refused = plain.filter(
    ({ status = 0, delivery }) => status >= 400 && status < 500 && delivery.body.length > SUSPICIOUS_BYTES,
  )
  const smallest = Math.min(...refused.map(({ delivery }) => delivery.body.length))
  const takesLarger = plain.some(({ accepted, delivery }) => accepted && delivery.body.length >= smallest)
  const explains = new Set(refused.map(({ verdict }) => verdict).filter(isOpen))
  if (refused.length === 0 || takesLarger || explains.size === 0) return []
  const taken = plain.filter(({ accepted }) => accepted === true)
  if (taken.length === 0) return []
  return [
    {
      code: 'body_limit',
      data: { bytes: smallest },
      explains,
    },
  ]
}

/** A receiver that loses the body of deliveries that are sent in one of these ways. */
const losing = (
  read: CauseForms['body_not_read_to_end']['read'],
  ...kinds: Transport['kind'][]
): Hypothesis => ({
  code: 'body_not_read_to_end',
  data: { read },
  accepts: ({ delivery: { transport }, shouldAccept }) =>
    shouldAccept === true ? transport === undefined || !kinds.includes(transport.kind) : undefined,
})

/** More bytes than characters: where Content-Length is compared with characters, such a body seems too short. */
const isLongerInBytes = ({ body }: Delivery) => isUtf8(body) && body.toString().length < body.length
const isChunked = ({ transport }: Delivery) => transport?.kind === 'chunked'
const inCharacters = refusing(
  { code: 'length_in_characters' },
  ({ delivery }) => isLongerInBytes(delivery) && !isChunked(delivery),
)

export const FRAMING_HYPOTHESES: readonly Hypothesis[] = [
  losing('length', 'chunked'),
  losing('first-part', 'chunked', 'drip'),
]

/** The body is not read to its end (SPEC.md 1.5 and 1.7). What is left of it ends the connection, perhaps before the response. */
export const framingCauses: Recognize = (symptoms) => {
  const cutOff = symptoms.trials.filter(
    ({ verdict, shouldAccept, delivery, exchange }) =>
      isOpen(verdict) &&
      shouldAccept === true &&
      delivery.transport?.kind === 'chunked' &&
      exchange.error?.code === 'reset',
  )
  const also = cutOff.map(({ verdict }) => verdict)
  // One that decodes the body refuses them in chunks too.
  const hasTakenChunks = symptoms.valid.some(
    ({ delivery, accepted }) => accepted === true && isChunked(delivery) && isLongerInBytes(delivery),
  )
  const hypotheses = hasTakenChunks ? [inCharacters, ...FRAMING_HYPOTHESES] : FRAMING_HYPOTHESES
  return testAll(hypotheses, symptoms).map((cause) => ({
    ...cause,
    also: new Set([...(cause.also ?? []), ...also]),
  }))
}

/** A valid delivery is refused because of its content type or its size (SPEC.md 1 and 4). */
export const contentCauses: Recognize = (symptoms) => [
  ...testAll(CONTENT_HYPOTHESES, symptoms),
  ...bodyLimit(symptoms),
]
