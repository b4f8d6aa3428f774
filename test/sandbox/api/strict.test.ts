import { expect, test } from 'vitest'
import { call, callFreely, sharedSandbox } from '../support.ts'

const shared = sharedSandbox()

test.each(['/Payments', '/payments/', '/webhooks/', '/payments/tx_1/', '/payments/tx_1/Resend-Webhook'])(
  'responds 404 to %s: paths are case-sensitive and have no trailing slash',
  async (path) => {
    expect((await callFreely(shared(), 'GET', path)).status).toBe(404)
  },
)

test('the version in the path is case-sensitive too', async () => {
  const on = shared()
  expect((await fetch(`${on.url}/V1/payments`, { headers: { 'X-API-Key': on.testKey } })).status).toBe(404)
})

test('OPTIONS gets 405 with Allow, and HEAD works where GET does', async () => {
  const on = shared()
  const options = await callFreely(on, 'OPTIONS', '/payments', { key: null })
  expect([options.status, options.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST'])
  const head = await fetch(`${on.apiUrl}/payments`, { method: 'HEAD', headers: { 'X-API-Key': on.testKey } })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test.each([
  ['/clock', 'GET, HEAD, POST'],
  ['/events', 'GET, HEAD, POST'],
  ['/payments/tx_1/actions', 'POST'],
  ['/reset', 'POST'],
])('the control API answers other methods of %s with 405 and Allow', async (path, allow) => {
  for (const method of ['OPTIONS', 'PUT', 'DELETE']) {
    const answer = await fetch(`${shared().url}/sandbox${path}`, { method })
    expect([method, answer.status, answer.headers.get('Allow')]).toEqual([method, 405, allow])
    expect(await answer.json()).toEqual({
      error: `${method} is not allowed here. Allowed methods: ${allow}.`,
    })
  }
})

test.each(['/payments/%ff', '/payments/%', '/webhooks/%e0%a4%a', '/nothing/%ff', '/%ff'])(
  'responds 400 to %s, which is not correctly encoded',
  async (path) => {
    const { status, json } = await callFreely(shared(), 'GET', path)
    expect([status, json]).toEqual([400, { error: 'The path is not correctly encoded.' }])
  },
)

test('says what is wrong with a body that cannot be read', async () => {
  const refused = async (raw: string, headers = {}) => {
    const type = { 'Content-Type': 'application/json' }
    const { status, json } = await call(shared(), 'POST', '/payments', {
      raw,
      headers: { ...type, ...headers },
    })
    return [status, json['error']]
  }
  expect(await refused('{"amount":')).toEqual([400, 'The body is not valid JSON.'])
  expect(await refused('{}', { 'Content-Encoding': 'gzip' })).toEqual([
    400,
    'The body is incomplete, or not compressed as its Content-Encoding says.',
  ])
})

/** Posts to the control API. */
const control = (path: string, body: unknown) =>
  fetch(`${shared().url}/sandbox${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

const EVENT = { event: 'payment.completed', fields: {}, steps: [{ type: 'succeed' }] }
const NEW = { payment: { amount: '5', currency: 'USD' } }

test.each([
  ['no fields', { fields: null }],
  ['fields that are a list', { fields: ['a'] }],
  ['a field that is no text', { fields: { amount: 5 } }],
  ['a step that is null', { steps: [null] }],
  ['a step that is a text', { steps: ['succeed'] }],
  ['a payment that is null', { payment: null }],
  ['a payment id that is a number', { payment_id: 5 }],
])('POST /sandbox/events responds 400 to %s', async (_, change) => {
  expect((await control('/events', { ...EVENT, ...NEW, ...change })).status).toBe(400)
})

test('POST /sandbox/payments keeps return_url', async () => {
  const on = shared()
  const body = { amount: '5', currency: 'USD', return_url: 'http://localhost:3000/thanks' }
  const { id } = (await (await control('/payments', body)).json()) as { id: string }
  expect((await call(on, 'GET', `/payments/${id}`)).json['return_url']).toBe(body.return_url)
  expect((await control('/payments', { ...body, return_url: 'javascript:alert(1)' })).status).toBe(400)
})

test('a clock move that is refused changes nothing', async () => {
  const on = shared()
  const { id } = (await (await control('/payments', { amount: '1.50', currency: 'USD' })).json()) as {
    id: string
  }
  on.act(id, { type: 'pay_part', method: 'gift_card', amount: '1' })
  const status = async () => (await call(on, 'GET', `/payments/${id}`)).json['status']
  expect((await control('/clock', { advance_ms: 300_000_000_000_000 })).status).toBe(400)
  expect(await status()).toBe('partial')
  expect((await control('/clock', { advance_ms: 86_400_000 })).status).toBe(200)
  expect(await status()).toBe('expired')
})

test('a test key that registers an endpoint for live payments only gets a hint', async () => {
  const on = shared()
  const hint = async (key: string, mode?: string) => {
    const body = { url: 'https://shop.example/hooks', ...(mode !== undefined && { mode }) }
    return (await call(on, 'POST', '/webhooks', { key, body })).headers.get('X-Sandbox-Hint')
  }
  expect(await hint(on.testKey)).toContain('live payments only')
  expect([await hint(on.testKey, 'both'), await hint(on.liveKey)]).toEqual([null, null])
})
