import type { SchemaName } from '../../schemas/validate.ts'
import type { NearMiss } from './near-misses.ts'

const id = 'tx_8Jm2vQx4Lr0sTn6aWc1P'
const endpoint = {
  id: 'we_4tYb7KcQ1mZs',
  url: 'https://shop.example/webhooks',
  events: ['payment.completed'],
  is_enabled: true,
  description: null,
  created_at: '2026-03-14T09:26:53Z',
}
const created = { ...endpoint, description: undefined, mode: 'live', secret: 'whsec_x' }
const vector = {
  name: 'plain',
  secret: 'whsec_x',
  tolerance_seconds: 300,
  now: 1,
  body_base64: 'e30=',
  header: null,
  expect: { outcome: 'refused', status: 400, code: 'header_missing' },
  catches: 'A delivery without a signature is accepted.',
}
const effect = { event: 'payment.completed', effect: 'fulfilled', amount: '25.00', currency: 'USD' }
const halfRefusal = { outcome: 'refused', status: 400 }
const codedAcceptance = { outcome: 'accepted', code: 'x' }

const required = 'required'
const unknownField = 'no such field'

function misses(schema: SchemaName, ...rows: [string, unknown, string, string][]): NearMiss[] {
  return rows.map(([what, value, path, expected]) => {
    // JSON drops the fields that are `undefined`.
    return { what, schema, value: JSON.parse(JSON.stringify(value)) as unknown, path, expected }
  })
}

/** The other schemas, each violated in its most important constraints. */
export const otherNearMisses: NearMiss[] = [
  ...misses(
    'event.tolerant',
    ['no id at all', { event: 'x', order_id: 'y' }, '', 'payment_id'],
    ['an empty id', { event: 'x', id: '' }, '', 'not empty'],
    ['an empty event', { event: '', id }, '/event', 'not empty'],
    ['no event', { id, status: 'completed' }, '/event', required],
    ['a simulated refund without event', { id, status: 'refunded', test: true }, '/status', '"failed"'],
    ['a known field of another type', { event: 'x', id, amount: 5 }, '/amount', 'text'],
  ),
  ...misses(
    'api/endpoint',
    ['a secret in a listing', { ...endpoint, secret: 'whsec_x' }, '/secret', unknownField],
    ['an http URL', { ...endpoint, url: 'http://shop.example/' }, '/url', 'https://'],
    ['an unknown mode', { ...endpoint, mode: 'all' }, '/mode', '"both"'],
  ),
  ...misses('api/endpoint-list', [
    'a wrong endpoint',
    { data: [endpoint, { ...endpoint, id: 'x' }] },
    '/data/1/id',
    'we_',
  ]),
  ...misses(
    'api/endpoint-create-request',
    ['no URL', { mode: 'test' }, '/url', required],
    ['no events', { url: 'https://shop.example/', events: [] }, '/events', 'at least one event name'],
  ),
  ...misses(
    'api/endpoint-create-response',
    ['no secret', { ...created, secret: undefined }, '/secret', required],
    ['a secret without its prefix', { ...created, secret: 'x' }, '/secret', 'whsec_'],
  ),
  ...misses('api/payment-create-request', [
    'an amount as a number',
    { amount: 5, currency: 'USD' },
    '/amount',
    'text',
  ]),
  ...misses('api/payment-create-response', ['no checkout', { id }, '/checkout_url', required]),
  ...misses('api/payment', ['no id', { status: 'completed' }, '/id', required]),
  ...misses('api/error', ['no text', { code: 'MISSING_API_KEY' }, '/error', required]),
  ...misses(
    'observation',
    ['an unknown effect', { effects: [{ ...effect, effect: 'shipped' }] }, '/effects/0/effect', '"reversed"'],
    ['an amount as a number', { effects: [effect, { ...effect, amount: 25 }] }, '/effects/1/amount', 'text'],
    ['effects that are not a list', { effects: {} }, '/effects', 'a list'],
    ['a bare list', [effect], '', 'an object'],
  ),
  ...misses(
    'signature-vector',
    ['no secret', { ...vector, secret: undefined }, '', 'either secret or secrets'],
    ['two kinds of secret', { ...vector, secrets: ['a'] }, '', 'either secret or secrets'],
    ['an unknown outcome', { ...vector, expect: { outcome: 'ok' } }, '/expect/outcome', '"refused"'],
    ['no outcome', { ...vector, expect: {} }, '/expect/outcome', '"accepted"'],
    ['a refusal without a code', { ...vector, expect: halfRefusal }, '/expect/code', required],
    ['a code for an acceptance', { ...vector, expect: codedAcceptance }, '/expect/code', unknownField],
    ['a body that is not base64', { ...vector, body_base64: 'e30' }, '/body_base64', 'base64'],
    ['a header that is a number', { ...vector, header: 5 }, '/header', 'text or null or a list'],
  ),
]
