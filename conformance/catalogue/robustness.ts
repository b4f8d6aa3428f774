import { asControl } from '../case/delivery.ts'
import { accepted, answeredBelow500, refusedThoughSigned } from '../case/expect.ts'
import { aboutEvent, type Kit } from '../case/kit.ts'
import { header, sentAs } from '../case/mutate.ts'
import { deliver, inTurn, mutatedThenControl } from '../case/plan.ts'
import { requirement, section } from './section.ts'
import { UNUSUAL_VALUES } from './unusual-payments.ts'

const MIB = 1024 * 1024

type Event = Record<string, unknown>

/** A validly signed body that is not an event, then a valid delivery. */
const signedBody = (change: string, body: string | Buffer) => (kit: Kit) =>
  inTurn({ ...kit.body(body), change }, asControl(kit.delivery('completed')))
/** A validly signed event with some fields changed, then a valid delivery. */
const signedEvent = (change: string, alter: (event: Event) => Event) => (kit: Kit) =>
  signedBody(change, JSON.stringify(alter(kit.event('completed'))))(kit)

const shapeless = {
  impact: 'The handler crashes on a missing field, or records a payment without an id.',
  fix: 'After parsing, check that the body is an object with an event and a payment id; otherwise answer 400.',
}
const heavy = {
  impact: 'An attacker can take the receiver down for everyone with one request.',
  fix: 'Limit the request body size, answer 4xx above the limit, and close the connection.',
}

export const robustness = section(
  'robustness',
  'Robustness',
  requirement(
    'A receiver MUST refuse a validly signed body that is not JSON, with status 400, 415 or 422.',
    {
      impact: 'One malformed body makes the server answer 5xx or crash, and the sender keeps retrying it.',
      fix: 'Catch the parse error and answer 400.',
    },
    {
      'not-json': {
        send: signedBody('a body that is not JSON', 'event=payment.completed&amount=25.00'),
        expect: [refusedThoughSigned(400, 415, 422)],
      },
      'json-cut-short': {
        send: signedBody('truncated JSON', '{"event":"payment.completed","id":"tx_'),
        expect: [refusedThoughSigned(400, 415, 422)],
      },
      'empty-body': {
        send: signedBody('an empty body', ''),
        expect: [refusedThoughSigned(400, 415, 422)],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse validly signed JSON that is not an event, with status 400 or 422.',
    shapeless,
    {
      'json-null': {
        send: signedBody('the JSON value null', 'null'),
        expect: [refusedThoughSigned(400, 422)],
      },
      'json-array': {
        send: signedBody('a JSON array', '[]'),
        expect: [refusedThoughSigned(400, 422)],
      },
      'json-text': {
        send: signedBody('a JSON string', '"payment.completed"'),
        expect: [refusedThoughSigned(400, 422)],
      },
      'empty-object': {
        send: signedBody('an empty JSON object', '{}'),
        expect: [refusedThoughSigned(400, 422)],
      },
      'event-of-wrong-type': {
        send: signedEvent('a number as the event', (event) => ({ ...event, event: 7 })),
        expect: [refusedThoughSigned(400, 422)],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a validly signed event without a payment id, with status 400 or 422.',
    shapeless,
    {
      'ids-missing': {
        send: signedEvent(
          'no id, payment_id or order_id',
          ({ id: _id, payment_id: _payment, order_id: _order, ...event }) => event,
        ),
        expect: [refusedThoughSigned(400, 422)],
      },
      'ids-empty': {
        send: signedEvent('empty ids', (event) => ({ ...event, id: '', payment_id: '', order_id: '' })),
        expect: [refusedThoughSigned(400, 422)],
      },
      'ids-of-wrong-type': {
        send: signedEvent('objects as ids', (event) => {
          const id = { $ne: null }
          return { ...event, id, payment_id: id, order_id: id }
        }),
        expect: [refusedThoughSigned(400, 422)],
        impact: 'An id that is an object can act as a database query, or as a key that all payments share.',
      },
    },
  ),
  requirement(
    'A receiver MUST accept a valid delivery that follows one whose sender stopped in the middle of the body.',
    {
      impact: 'A few broken connections take the receiver down for everyone.',
      fix: 'Handle the error of a request that is aborted, and free its memory, worker and connection.',
    },
    {
      'good-after-broken-off': {
        send: (kit) => {
          const truncated = sentAs('a body that breaks off', (body) => ({
            kind: 'truncated',
            after: body.length >> 1,
          }))
          return inTurn(truncated(kit.delivery('completed'), kit), kit.delivery('completed'))
        },
        expect: [accepted],
      },
      'good-after-many-broken-off': {
        alone: true,
        send: (kit) => {
          const truncated = sentAs('a body that breaks off', () => ({ kind: 'truncated', after: 1 }))
          return [
            {
              how: 'together',
              deliveries: Array.from({ length: 10 }, () => truncated(kit.delivery('completed'), kit)),
            },
            ...inTurn(kit.delivery('completed')),
          ]
        },
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver MUST remain able to accept deliveries after a body of several MiB, regardless of how it answers that one.',
    heavy,
    {
      'good-after-4-mib': {
        alone: true,
        send: (kit) => {
          const event = kit.event('completed', { metadata: { note: '' } })
          const [head = '', tail = ''] = JSON.stringify(event).split('"note":""')
          const body = Buffer.concat([
            Buffer.from(`${head}"note":"`),
            Buffer.alloc(4 * MIB, 'x'),
            Buffer.from(`"${tail}`),
          ])
          const large = { ...kit.body(body, aboutEvent(event)), change: 'a body of 4 MiB' }
          return inTurn({ ...large, role: 'context' }, kit.delivery('completed'))
        },
        expect: [accepted],
        open: 'A receiver may accept the large body, refuse it with 413, or close the connection before it has read it.',
      },
    },
  ),
  requirement(
    'A receiver MUST answer a signature header that is long or has many entries with a status below 500.',
    {
      impact: 'One request with an unusual header makes the server fail, and the sender keeps retrying it.',
      fix: 'Limit the size of the header, and answer 400 or 431 above the limit.',
    },
    {
      'header-of-8-kib': {
        send: mutatedThenControl(
          header('an unknown entry of 8 KiB', ({ t, v1 }) => `t=${t},v1=${v1},x=${'y'.repeat(8 * 1024)}`),
        ),
        expect: [answeredBelow500],
      },
      'header-of-a-thousand-entries': {
        send: mutatedThenControl(
          header('a thousand unknown entries', ({ t, v1 }) => `t=${t},v1=${v1}${',x=y'.repeat(1000)}`),
        ),
        expect: [answeredBelow500],
      },
    },
  ),
  requirement(
    'A receiver MUST answer deeply nested JSON with a status below 500.',
    {
      impact: 'One request crashes the parser with an uncaught error, and the sender keeps retrying it.',
      fix: 'Verify the raw bytes; catch every error of the parser, including the one for excessive depth, and answer 400.',
    },
    {
      'nested-deeply': {
        send: (kit) => {
          const event = kit.event('completed')
          const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
          const text = JSON.stringify({ ...event, metadata: {} }).replace(
            '"metadata":{}',
            `"metadata":{"deep":${deep}}`,
          )
          return inTurn(
            { ...kit.body(text, aboutEvent(event)), change: 'JSON nested 10,000 levels deep' },
            asControl(kit.delivery('completed')),
          )
        },
        expect: [answeredBelow500],
      },
    },
  ),
  requirement(
    'A receiver MUST accept a field value that is unusual but allowed, such as a very large amount.',
    {
      impact: 'A large payment is refused, or its amount is rounded.',
      fix: 'Keep amounts as decimal strings; do not convert them to floating-point numbers.',
    },
    {
      'huge-amount': {
        send: (kit) => inTurn(kit.delivery('completed', { amount: '123456789012345678901234567890.12' })),
        expect: [accepted],
      },
      ...UNUSUAL_VALUES,
    },
  ),
  requirement('A receiver MUST still accept a valid delivery after any other requests.', heavy, {
    'alive-at-the-end': {
      alone: true,
      send: deliver('completed', 'refund'),
      expect: [accepted],
    },
  }),
)
