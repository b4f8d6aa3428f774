import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  integer,
  json,
  jsonValue,
  oneof,
  record,
  sample,
  string,
  uuid,
} from 'fast-check'
import { between, type Random } from './random.ts'

const HEX = '0123456789abcdef'.split('')

const t = oneof(
  { weight: 6, arbitrary: constant('NOW') },
  constantFrom('STALE', '', '0', '-NOW', '+NOW', ' NOW', '0NOW', 'NOW.0', 'NOW000', 'NaN', '1e9', '\u0661'),
  integer().map(String),
)
const v1 = oneof(
  { weight: 6, arbitrary: constant('VALID') },
  constantFrom('OTHER', '', 'VALID0', '0xVALID', ' VALID', 'VALID '),
  string({ minLength: 64, maxLength: 64, unit: constantFrom(...HEX) }),
)
const entry = oneof(
  { weight: 4, arbitrary: t.map((value) => `t=${value}`) },
  { weight: 4, arbitrary: v1.map((value) => `v1=${value}`) },
  constantFrom('', 't', 'v1', '=', 'v0=VALID', 'V1=VALID', 'T=NOW', 'v2=VALID', ' t=NOW', ' v1=VALID'),
  string({ unit: 'binary-ascii', maxLength: 20 }),
)
/**
 * The values of signature headers. The caller replaces NOW and STALE with signing times, VALID and OTHER with signatures
 * of the delivery.
 */
const headers = array(
  oneof(
    { weight: 9, arbitrary: array(entry, { maxLength: 6 }).map((entries) => entries.join(',')) },
    array(entry, { minLength: 10, maxLength: 200 }).map((entries) => entries.join(',')),
    string({ maxLength: 100 }),
  ),
  { minLength: 0, maxLength: 2 },
)

const text = oneof(constantFrom('payment.completed', 'payment.refunded', 'x', ''), string({ unit: 'binary' }))
const unusual = oneof(text, jsonValue({ maxDepth: 3 }))
const eventLike = record(
  {
    event: oneof({ weight: 3, arbitrary: text }, unusual),
    payment_id: oneof({ weight: 3, arbitrary: uuid() }, unusual),
    id: unusual,
    type: unusual,
    status: oneof(constantFrom('completed', 'failed'), unusual),
    amount: oneof(constantFrom('1.00', '-1', '1e9', ''), unusual),
    amount_received: unusual,
    currency: unusual,
    livemode: unusual,
    test: oneof(boolean(), unusual),
    metadata: unusual,
  },
  { requiredKeys: [] },
)
const nested = integer({ min: 1, max: 3000 }).map((depth) => `${'['.repeat(depth)}1${']'.repeat(depth)}`)
/** Bodies: events with unusual fields, other JSON, and text that is not JSON. */
const bodies = oneof(
  { weight: 6, arbitrary: eventLike.map((event) => JSON.stringify(event)) },
  nested.map((value) => `{"event":"payment.completed","payment_id":"tx_nested","metadata":${value}}`),
  json(),
  string({ unit: 'binary', maxLength: 200 }),
)

export const randomHeaders = (random: Random): (() => string[]) => valuesOf(headers, random)
export const randomBodies = (random: Random): (() => string) => valuesOf(bodies, random)

/** fast-check is much cheaper per value when it generates many at a time. */
const BATCH_SIZE = 500

function valuesOf<T>(arbitrary: Arbitrary<T>, random: Random): () => T {
  let batch: T[] = []
  return () => {
    if (batch.length === 0)
      batch = sample(arbitrary, { numRuns: BATCH_SIZE, seed: between(random, 0, 2 ** 31 - 1) })
    const next = batch.pop()
    if (next === undefined) throw new RangeError('fast-check generated nothing')
    return next
  }
}
