import { expect, test } from 'vitest'
import { call, callFreely, payment, sharedSandbox } from '../support.ts'

const shared = sharedSandbox()
const guarded = sharedSandbox({ botProtection: true })

const JSON_TYPE = { 'Content-Type': 'application/json' }

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
    expect([wrong.status, wrong.headers.get('Allow'), Object.keys(wrong.json)]).toEqual([
      405,
      allow,
      ['error'],
    ])
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

test('responds 400 to a path that cannot be decoded', async () => {
  const on = shared()
  expect((await callFreely(on, 'GET', '/payments/%ff')).status).toBe(400)
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
