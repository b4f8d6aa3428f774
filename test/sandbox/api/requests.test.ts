import { expect, test } from 'vitest'
import { screen } from '../dashboard/support.ts'
import { call, callFreely, control, JSON_TYPE, payment, sharedSandbox } from '../support.ts'

const shared = sharedSandbox()
const guarded = sharedSandbox({ botProtection: true })

const CALLS: [string, string][] = [
  ['GET', '/webhooks'],
  ['POST', '/webhooks'],
  ['GET', '/webhooks/we_1'],
  ['DELETE', '/webhooks/we_1'],
  ['GET', '/payments'],
  ['POST', '/payments'],
  ['GET', '/payments/tx_1'],
  ['POST', '/payments/tx_1/resend-webhook'],
]

test.each(CALLS)('%s %s requires a known, active key (7.2)', async (method, path) => {
  const on = shared()
  for (const [key, code] of [
    [null, 'MISSING_API_KEY'],
    ['', 'MISSING_API_KEY'],
    ['svc_test_nobody', 'INVALID_API_KEY'],
    [`${on.testKey} `.repeat(2), 'INVALID_API_KEY'],
  ] as const) {
    const refused = await call(on, method, path, { key })
    expect([refused.status, refused.json['code']]).toEqual([401, code])
  }
})

test('responds 404 to unknown paths and 405 with Allow to wrong methods, even without a key', async () => {
  const on = shared()
  for (const path of ['/', '/nothing', '/webhooks/we_1/secret']) {
    const missing = await callFreely(on, 'GET', path, { key: null })
    expect([missing.status, Object.keys(missing.json)]).toEqual([404, ['error']])
  }
  for (const [method, path, allow] of [
    ['PUT', '/webhooks', 'GET, HEAD, POST'],
    ['POST', '/webhooks/we_1', 'GET, HEAD, DELETE'],
    ['DELETE', '/payments', 'GET, HEAD, POST'],
    ['PATCH', '/payments/tx_1', 'GET, HEAD'],
    ['GET', '/payments/tx_1/resend-webhook', 'POST'],
    ['POST', '/openapi.json', 'GET, HEAD'],
  ] as const) {
    const wrong = await callFreely(on, method, path, { key: null })
    const { status, headers, json } = wrong
    expect([status, headers.get('Allow'), Object.keys(json)]).toEqual([405, allow, ['error']])
  }
})

test.each(CALLS.filter(([method]) => method === 'POST'))(
  '%s %s requires a JSON body with the JSON content type',
  async (method, path) => {
    const on = shared()
    const raw = '{"url":"https://shop.example/"}'
    const refused = async (options: object) => {
      const { status, json } = await call(on, method, path, options)
      expect(Object.keys(json)).toEqual(['error'])
      return status
    }
    expect(await refused({ raw })).toBe(415)
    expect(await refused({ raw, headers: { 'Content-Type': 'text/json' } })).toBe(415)
    expect(await refused({ raw, headers: { ...JSON_TYPE, 'Content-Encoding': 'zip' } })).toBe(415)
    expect(await refused({ raw: '{"url":', headers: JSON_TYPE })).toBe(400)
    expect(await refused({ raw: `"${'x'.repeat(100 * 1024)}"`, headers: JSON_TYPE })).toBe(413)
  },
)

test('rejects a missing body', async () => {
  const on = shared()
  for (const path of ['/webhooks', '/payments']) {
    expect((await call(on, 'POST', path)).status).toBe(415)
    expect((await call(on, 'POST', path, { headers: JSON_TYPE })).status).toBe(400)
  }
  const charset = { 'Content-Type': 'Application/JSON; charset=utf-8' }
  const raw = '{"amount":"1","currency":"USD"}'
  expect((await call(on, 'POST', '/payments', { raw, headers: charset })).status).toBe(201)
})

test('only authentication errors have a code, and no error shows a stack trace', async () => {
  const on = shared()
  const id = await payment(on, {}, on.liveKey)
  const refusals = [
    await call(on, 'GET', '/webhooks/we_1'),
    await call(on, 'POST', '/webhooks', { body: {} }),
    await call(on, 'POST', `/payments/${id}/resend-webhook`),
    await call(on, 'POST', `/payments/${id}/resend-webhook`, { key: on.liveKey }),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([404, 400, 403, 409])
  for (const { json, text } of refusals) {
    expect(Object.keys(json)).toEqual(['error'])
    expect(text).not.toMatch(/ at |node:|\.ts/)
  }
})

test.each(['', 'curl/8.5.0', 'python-requests/2.31', 'Go-http-client/2.0', 'node', 'undici', 'axios/1.7.2'])(
  'bot protection blocks the User-Agent "%s" with error 1010 (5.2)',
  async (agent) => {
    const on = guarded()
    const blocked = await call(on, 'GET', '/payments', { headers: { 'User-Agent': agent } })
    expect(blocked.status).toBe(403)
    expect(blocked.headers.get('Content-Type')).toContain('text/html')
    expect(blocked.text).toContain('1010')
    const named = await call(on, 'GET', '/payments', { headers: { 'User-Agent': 'tea-house-shop/2.1' } })
    expect(named.status).toBe(200)
  },
)

test('without bot protection any User-Agent is allowed', async () => {
  const on = shared()
  expect((await call(on, 'GET', '/payments', { headers: { 'User-Agent': 'curl/8.5.0' } })).status).toBe(200)
})

/** A payment with an extra field of nested arrays. */
const nested = (depth: number, open = '[', close = ']'): string =>
  `{"amount":"1","currency":"USD","extra":${open.repeat(depth)}1${close.repeat(depth)}}`

test.each([4_050, 4_200, 20_000, 50_000])(
  'rejects a body that is nested %i deep, and stays up',
  async (depth) => {
    const on = shared()
    const shapes = [nested(depth)]
    if (depth < 20_000) shapes.push(nested(depth, '{"a":', '}'))
    for (const raw of shapes) {
      for (const path of ['/payments', '/webhooks']) {
        const refused = await call(on, 'POST', path, { raw, headers: JSON_TYPE })
        const error = expect.stringContaining('nested more than')
        expect([path, refused.status, refused.json]).toEqual([path, 400, { error }])
      }
      for (const path of ['/clock', '/payments', '/events', '/payments/tx_1/actions']) {
        const refused = await fetch(`${on.url}/sandbox${path}`, {
          method: 'POST',
          headers: JSON_TYPE,
          body: raw,
        })
        expect([path, refused.status]).toEqual([path, 400])
      }
    }
    const { status, html } = await screen(`${on.url}/dashboard/tea-house/log`)
    expect(status).toBe(200)
    expect(html.length).toBeLessThan(1024 * 1024)
  },
)

test('brackets in texts do not count as depth', async () => {
  const raw = JSON.stringify({ amount: '1', currency: 'USD', metadata: { note: `\\"${'[{'.repeat(100)}` } })
  expect((await call(shared(), 'POST', '/payments', { raw, headers: JSON_TYPE })).status).toBe(201)
})

test('logs the bytes that were received, and the JSON that was sent, without secrets', async () => {
  const on = shared()
  const raw = '{ "url": "https://shop.example/hooks", "mode":"test" }'
  const created = await call(on, 'POST', '/webhooks', { raw, headers: JSON_TYPE })
  await callFreely(on, 'POST', '/payments', {
    raw: '{ "secret" : "my\\"own", "key": "whsec_abcdefgh", "x": "svc_live_12345678" }',
    headers: JSON_TYPE,
  })
  const { html } = await screen(`${on.url}/dashboard/tea-house/log`)
  expect(html).toContain('https://shop.example/hooks')
  expect(html).not.toContain(String(created.json['secret']))
  for (const text of ['my', 'own', 'abcdefgh', '12345678']) {
    expect(html).not.toMatch(new RegExp(`[^a-z]${text}[^a-z]`))
  }
})

test.each([
  ['a text', Buffer.from('{"amount":"1","currency":"USD","metadata":{"name":"M\xfc"}}', 'latin1')],
  ['a name', Buffer.from('{"amount":"1","currency":"USD","metadata":{"n\xe4me":"1"}}', 'latin1')],
  ['a cut character', Buffer.from('{"amount":"1","currency":"USD","metadata":{"a":"\xe2\x82"}}', 'latin1')],
])('rejects invalid UTF-8 in %s instead of altering it', async (_, raw) => {
  const refused = await call(shared(), 'POST', '/payments', { raw, headers: JSON_TYPE })
  expect([refused.status, refused.json]).toEqual([400, { error: expect.stringContaining('UTF-8') }])
})

test.each(['utf-16', 'utf-16le', 'utf-32', 'utf-7', 'iso-8859-1'])(
  'rejects a body that is declared as %s: JSON is UTF-8',
  async (charset) => {
    const raw = Buffer.from('{"amount":"1","currency":"USD"}', 'utf16le')
    const headers = { 'Content-Type': `application/json; charset=${charset}` }
    expect((await call(shared(), 'POST', '/payments', { raw, headers })).status).toBe(415)
  },
)

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
    const sent = { raw, headers: { ...JSON_TYPE, ...headers } }
    const { status, json } = await call(shared(), 'POST', '/payments', sent)
    return [status, json['error']]
  }
  expect(await refused('{"amount":')).toEqual([400, 'The body is not valid JSON.'])
  expect(await refused('{}', { 'Content-Encoding': 'gzip' })).toEqual([
    400,
    'The body is incomplete, or not compressed as its Content-Encoding says.',
  ])
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
  expect((await control(shared(), '/events', { ...EVENT, ...NEW, ...change })).status).toBe(400)
})

test('POST /sandbox/payments keeps return_url', async () => {
  const on = shared()
  const body = { amount: '5', currency: 'USD', return_url: 'http://localhost:3000/thanks' }
  const { id } = (await (await control(shared(), '/payments', body)).json()) as { id: string }
  expect((await call(on, 'GET', `/payments/${id}`)).json['return_url']).toBe(body.return_url)
  expect((await control(shared(), '/payments', { ...body, return_url: 'javascript:alert(1)' })).status).toBe(
    400,
  )
})

test('a clock move that is refused changes nothing', async () => {
  const on = shared()
  const id = await payment(on, { amount: '1.50' })
  on.act(id, { type: 'pay_part', method: 'gift_card', amount: '1' })
  const status = async () => (await call(on, 'GET', `/payments/${id}`)).json['status']
  expect((await control(shared(), '/clock', { advance_ms: 300_000_000_000_000 })).status).toBe(400)
  expect(await status()).toBe('partial')
  expect((await control(shared(), '/clock', { advance_ms: 86_400_000 })).status).toBe(200)
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
