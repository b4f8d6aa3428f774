import type { Delivery } from '../../contracts/payment-service/delivery.ts'
import type { Candidate, Recognize } from '../cause.ts'
import type { Evidence } from '../evidence.ts'
import { isOpen } from '../evidence.ts'
import { type Hypothesis, refusing, testAll } from '../hypothesis.ts'
import type { Statement } from '../statement.ts'

const CONTENT_TYPE: Statement = {
  code: 'content_type_required',
  sentence: 'A valid delivery is refused because of its content type.',
  fix: 'Read the raw body for any content type, including parameters and capital letters; let the signature decide.',
}

/** The declared content type; undefined without one. */
export function contentTypeOf({ headers }: Delivery): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
}

const requiring = (takes: (type: string) => boolean): Hypothesis =>
  refusing(CONTENT_TYPE, ({ delivery }) => !takes(contentTypeOf(delivery) ?? ''))

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
function bodyLimit({ valid }: Evidence): Candidate[] {
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
      sentence: `A valid body of ${Math.round(smallest / 1024)} KiB is refused because of its size.`,
      fix: 'Raise the limit of the body parser, the framework and any proxy to 1 MiB.',
      explains,
    },
  ]
}

/** A valid delivery is refused because of its content type or its size (SPEC.md 1 and 4). */
export const contentCauses: Recognize = (evidence) => [
  ...testAll(CONTENT_HYPOTHESES, evidence),
  ...bodyLimit(evidence),
]
