import { asControl } from '../case/delivery.ts'
import { accepted, answeredBelow500, refusedThoughSigned } from '../case/expect.ts'
import type { Kit } from '../case/kit.ts'
import { aboutEvent } from '../case/kit.ts'
import { header, sentAs } from '../case/mutate.ts'
import { genuinely, inTurn, mutatedThenControl } from '../case/plan.ts'
import { section } from './section.ts'

const MIB = 1024 * 1024

/** A rightly signed body that is no event, then a genuine delivery. */
const signed = (change: string, body: string | Buffer) => (kit: Kit) =>
  inTurn({ ...kit.body(body), change }, asControl(kit.delivery('completed')))
const without =
  (change: string, ...names: string[]) =>
  (kit: Kit) => {
    const event = kit.event('completed')
    for (const name of names) delete event[name]
    return inTurn({ ...kit.body(JSON.stringify(event)), change }, asControl(kit.delivery('completed')))
  }

const crash = {
  impact: 'One odd body makes the server answer 5xx or stop, and the sender tries it again without end.',
  fix: 'Catch the parse error and answer 400.',
}
const shapeless = {
  impact: 'The handler fails on a missing field, or records a payment with no id.',
  fix: 'After parsing check that the body is an object with an event and a payment id; else answer 400.',
}
const heavy = {
  impact: 'One request takes the receiver down for everyone.',
  fix: 'Bound what is read, answer 4xx above the bound, and close the connection.',
}

export const robustness = section('robustness', 'Robustness', {
  'not-json': {
    spec: 'A receiver MUST refuse a signed body that is not JSON, with status 400, 415 or 422.',
    send: signed('a body that is not JSON', 'event=payment.completed&amount=25.00'),
    expect: [refusedThoughSigned(400, 415, 422)],
    ...crash,
  },
  'json-cut-short': {
    spec: 'A receiver MUST refuse a signed body that is not JSON, with status 400, 415 or 422.',
    send: signed('JSON that ends too soon', '{"event":"payment.completed","id":"tx_'),
    expect: [refusedThoughSigned(400, 415, 422)],
    ...crash,
  },
  'empty-body': {
    spec: 'A receiver MUST refuse a signed body that is not JSON, with status 400, 415 or 422.',
    send: signed('an empty body', ''),
    expect: [refusedThoughSigned(400, 415, 422)],
    ...crash,
  },
  'json-null': {
    spec: 'A receiver MUST refuse signed JSON that is no event, with status 400 or 422.',
    send: signed('the JSON null', 'null'),
    expect: [refusedThoughSigned(400, 422)],
    ...shapeless,
  },
  'json-array': {
    spec: 'A receiver MUST refuse signed JSON that is no event, with status 400 or 422.',
    send: signed('a JSON array', '[]'),
    expect: [refusedThoughSigned(400, 422)],
    ...shapeless,
  },
  'json-text': {
    spec: 'A receiver MUST refuse signed JSON that is no event, with status 400 or 422.',
    send: signed('a JSON string', '"payment.completed"'),
    expect: [refusedThoughSigned(400, 422)],
    ...shapeless,
  },
  'empty-object': {
    spec: 'A receiver MUST refuse signed JSON that is no event, with status 400 or 422.',
    send: signed('an empty JSON object', '{}'),
    expect: [refusedThoughSigned(400, 422)],
    ...shapeless,
  },
  'event-of-wrong-type': {
    spec: 'A receiver MUST refuse signed JSON that is no event, with status 400 or 422.',
    send: (kit) => {
      const event = { ...kit.event('completed'), event: 7 }
      return inTurn(
        { ...kit.body(JSON.stringify(event)), change: 'a number for the event' },
        asControl(kit.delivery('completed')),
      )
    },
    expect: [refusedThoughSigned(400, 422)],
    ...shapeless,
  },
  'ids-missing': {
    spec: 'A receiver MUST refuse a signed event that names no payment, with status 400 or 422.',
    send: without('no id, payment_id or order_id', 'id', 'payment_id', 'order_id'),
    expect: [refusedThoughSigned(400, 422)],
    ...shapeless,
  },
  'ids-empty': {
    spec: 'A receiver MUST refuse a signed event that names no payment, with status 400 or 422.',
    send: (kit) => {
      const event = { ...kit.event('completed'), id: '', payment_id: '', order_id: '' }
      return inTurn(
        { ...kit.body(JSON.stringify(event)), change: 'empty ids' },
        asControl(kit.delivery('completed')),
      )
    },
    expect: [refusedThoughSigned(400, 422)],
    ...shapeless,
  },
  'ids-of-wrong-type': {
    spec: 'A receiver MUST refuse a signed event that names no payment, with status 400 or 422.',
    send: (kit) => {
      const id = { $ne: null }
      const event = { ...kit.event('completed'), id, payment_id: id, order_id: id }
      return inTurn(
        { ...kit.body(JSON.stringify(event)), change: 'objects for ids' },
        asControl(kit.delivery('completed')),
      )
    },
    expect: [refusedThoughSigned(400, 422)],
    impact: 'An id that is an object becomes a query, or a key that every payment shares.',
    fix: shapeless.fix,
  },
  'good-after-broken-off': {
    spec: 'A receiver MUST accept a genuine delivery that follows one whose sender stopped in the middle of the body.',
    send: (kit) => {
      const broken = sentAs('a body that breaks off', (body) => ({
        kind: 'truncated',
        after: body.length >> 1,
      }))
      return inTurn(broken(kit.delivery('completed'), kit), kit.delivery('completed'))
    },
    expect: [accepted],
    ...heavy,
  },
  'good-after-many-broken-off': {
    spec: 'A receiver MUST accept a genuine delivery that follows one whose sender stopped in the middle of the body.',
    alone: true,
    send: (kit) => {
      const broken = sentAs('a body that breaks off', () => ({ kind: 'truncated', after: 1 }))
      return [
        {
          how: 'together',
          deliveries: Array.from({ length: 10 }, () => broken(kit.delivery('completed'), kit)),
        },
        ...inTurn(kit.delivery('completed')),
      ]
    },
    expect: [accepted],
    ...heavy,
  },
  'good-after-4-mib': {
    spec: 'A receiver MUST stay able to accept after a body of several MiB, whatever it answers to that one.',
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
    open: 'A receiver may accept the large body, refuse it with 413, or close the connection before reading it.',
    ...heavy,
  },
  'header-of-8-kib': {
    spec: 'A receiver MUST answer a long or crowded signature header with a status below 500.',
    send: mutatedThenControl(
      header('an unknown entry of 8 KiB', ({ t, v1 }) => `t=${t},v1=${v1},x=${'y'.repeat(8 * 1024)}`),
    ),
    expect: [answeredBelow500],
    ...heavy,
  },
  'header-of-a-thousand-entries': {
    spec: 'A receiver MUST answer a long or crowded signature header with a status below 500.',
    send: mutatedThenControl(
      header('a thousand unknown entries', ({ t, v1 }) => `t=${t},v1=${v1}${',x=y'.repeat(1000)}`),
    ),
    expect: [answeredBelow500],
    ...heavy,
  },
  'nested-deeply': {
    spec: 'A receiver MUST answer deeply nested JSON with a status below 500.',
    send: (kit) => {
      const event = kit.event('completed')
      const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
      const text = JSON.stringify({ ...event, metadata: {} }).replace(
        '"metadata":{}',
        `"metadata":{"deep":${deep}}`,
      )
      return inTurn(
        { ...kit.body(text, aboutEvent(event)), change: 'JSON nested 10,000 deep' },
        asControl(kit.delivery('completed')),
      )
    },
    expect: [answeredBelow500],
    impact:
      'One request makes the parser fail in a way that nobody catches, and the sender tries it again without end.',
    fix: 'Verify the raw bytes; catch whatever the parser throws, depth included, and answer 400.',
  },
  'huge-amount': {
    spec: 'A receiver MUST accept a field value that is unusual but allowed, such as a very large amount.',
    send: (kit) => inTurn(kit.delivery('completed', { amount: '123456789012345678901234567890.12' })),
    expect: [accepted],
    impact: 'A large payment is refused, or rounded to another amount.',
    fix: 'Keep amounts as decimal text; do not turn them into floating-point numbers.',
  },
  'alive-at-the-end': {
    spec: 'A receiver MUST still accept a genuine delivery after all that it was sent.',
    alone: true,
    send: genuinely('completed', 'refund'),
    expect: [accepted],
    ...heavy,
  },
})
