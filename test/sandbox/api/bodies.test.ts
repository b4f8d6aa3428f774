import { expect, test } from 'vitest'
import { screen } from '../dashboard/support.ts'
import { call, callFreely, sharedSandbox } from '../support.ts'

const shared = sharedSandbox()

const JSON_TYPE = { 'Content-Type': 'application/json' }

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
        expect([path, refused.status, refused.json]).toEqual([
          path,
          400,
          { error: expect.stringContaining('nested more than') },
        ])
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
