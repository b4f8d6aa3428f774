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
  { weight: 6, arbitrary: constant('RIGHT') },
  constantFrom('OTHER', '', 'RIGHT0', '0xRIGHT', ' RIGHT', 'RIGHT '),
  string({ minLength: 64, maxLength: 64, unit: constantFrom(...HEX) }),
)
const entry = oneof(
  { weight: 4, arbitrary: t.map((value) => `t=${value}`) },
  { weight: 4, arbitrary: v1.map((value) => `v1=${value}`) },
  constantFrom('', 't', 'v1', '=', 'v0=RIGHT', 'V1=RIGHT', 'T=NOW', 'v2=RIGHT', ' t=NOW', ' v1=RIGHT'),
  string({ unit: 'binary-ascii', maxLength: 20 }),
)
/** The values of signature headers. NOW, STALE, RIGHT and OTHER stand for what belongs to the delivery. */
const headers = array(
  oneof(
    { weight: 9, arbitrary: array(entry, { maxLength: 6 }).map((entries) => entries.join(',')) },
    array(entry, { minLength: 10, maxLength: 200 }).map((entries) => entries.join(',')),
    string({ maxLength: 100 }),
  ),
  { minLength: 0, maxLength: 2 },
)

const text = oneof(constantFrom('payment.completed', 'payment.refunded', 'x', ''), string({ unit: 'binary' }))
const odd = oneof(text, jsonValue({ maxDepth: 3 }))
const eventLike = record(
  {
    event: oneof({ weight: 3, arbitrary: text }, odd),
    payment_id: oneof({ weight: 3, arbitrary: uuid() }, odd),
    id: odd,
    type: odd,
    status: oneof(constantFrom('completed', 'failed'), odd),
    amount: oneof(constantFrom('1.00', '-1', '1e9', ''), odd),
    amount_received: odd,
    currency: odd,
    livemode: odd,
    test: oneof(boolean(), odd),
    metadata: odd,
  },
  { requiredKeys: [] },
)
const nested = integer({ min: 1, max: 3000 }).map((depth) => `${'['.repeat(depth)}1${']'.repeat(depth)}`)
/** Bodies: events with odd fields, other JSON, and what is no JSON. */
const bodies = oneof(
  { weight: 6, arbitrary: eventLike.map((event) => JSON.stringify(event)) },
  nested.map((value) => `{"event":"payment.completed","payment_id":"tx_nested","metadata":${value}}`),
  json(),
  string({ unit: 'binary', maxLength: 200 }),
)

export const drawHeaders = (random: Random): (() => string[]) => drawsOf(headers, random)
export const drawBodies = (random: Random): (() => string) => drawsOf(bodies, random)

/** Drawn at a time: fast-check's cost for each draw is small then. */
const DRAWN = 500

function drawsOf<T>(arbitrary: Arbitrary<T>, random: Random): () => T {
  let drawn: T[] = []
  return () => {
    if (drawn.length === 0)
      drawn = sample(arbitrary, { numRuns: DRAWN, seed: between(random, 0, 2 ** 31 - 1) })
    const next = drawn.pop()
    if (next === undefined) throw new RangeError('fast-check drew nothing')
    return next
  }
}
