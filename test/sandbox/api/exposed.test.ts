import http from 'node:http'
import { expect, test } from 'vitest'
import { originOf } from '../../../sandbox/http/guard.ts'
import { sandbox } from '../support.ts'

const EVERYWHERE = { host: '0.0.0.0' }

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Uses node:http, which allows any Host header. */
function send(address: string, { method = 'GET', headers = {}, body = '' }: Sent): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const request = http.request(address, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve([response.statusCode ?? 0, text]))
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Creates a payment with this Host header, and returns its checkout URL from all three responses. */
async function checkouts(on: { url: string; testKey: string }, host: string): Promise<unknown[]> {
  const headers = { Host: host, 'X-API-Key': on.testKey, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ amount: '5', currency: 'USD' })
  const [, created] = await send(`${on.url}/v1/payments`, { method: 'POST', headers, body })
  const { id, checkout_url: checkout } = JSON.parse(created)
  const [, found] = await send(`${on.url}/v1/payments/${id}`, { headers })
  const [, listed] = await send(`${on.url}/v1/payments`, { headers })
  return [checkout, JSON.parse(found).checkout_url, JSON.parse(listed).data[0].checkout_url]
}

test('other machines get a working checkout URL with the host name that they used', async () => {
  const on = await sandbox(EVERYWHERE)
  const host = `devbox.test:${new URL(on.url).port}`
  const [checkout, ...again] = await checkouts(on, host)
  expect(checkout).toMatch(new RegExp(`^http://${host}/test/checkout/tx_`))
  expect(again).toEqual([checkout, checkout])

  const address = on.url + new URL(String(checkout)).pathname
  expect(await send(address, { headers: { Host: host } })).toEqual([
    200,
    expect.stringContaining('Simulate Success'),
  ])
  const press = (origin: string) =>
    send(address, {
      method: 'POST',
      headers: { Host: host, Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'action=succeed',
    })
  expect((await press('http://evil.example'))[0]).toBe(403)
  expect((await press(on.url))[0]).toBe(403)
  expect((await press(`http://${host}`))[0]).toBe(303)
})

test('the dashboard and the control API are only available from this machine', async () => {
  const on = await sandbox(EVERYWHERE)
  const { port } = new URL(on.url)
  for (const path of [
    '/',
    '/dashboard/tea-house',
    '/dashboard/tea-house/keys',
    '/dashboard/live',
    '/sandbox/clock',
  ]) {
    const status = async (host: string) => (await send(on.url + path, { headers: { Host: host } }))[0]
    expect([path, await status(`devbox.test:${port}`), await status('192.168.1.5')]).toEqual([path, 403, 403])
  }
  expect((await send(`${on.url}/sandbox/clock`, { headers: { Host: `localhost:${port}` } }))[0]).toBe(200)
})

test('a sandbox on loopback ignores the Host header in its URLs', async () => {
  const on = await sandbox()
  const [checkout, ...again] = await checkouts(on, 'evil.example')
  expect(checkout).toMatch(new RegExp(`^${on.url}/test/checkout/tx_`))
  expect(again).toEqual([checkout, checkout])
  const address = String(checkout)
  expect((await send(address, { headers: { Host: 'evil.example' } }))[0]).toBe(403)
  expect((await send(address, {}))[0]).toBe(200)
})

test('its OpenAPI document has the host name of the request', async () => {
  const on = await sandbox(EVERYWHERE)
  const [, text] = await send(`${on.url}/v1/openapi.json`, { headers: { Host: '192.168.1.5:4100' } })
  expect(JSON.parse(text).servers).toEqual([
    { url: 'http://192.168.1.5:4100/v1', description: 'This sandbox.' },
  ])
})

const OWN = 'http://127.0.0.1:4100'

test.each(['127.0.0.1', '127.1.2.3', 'localhost', 'LOCALHOST', '::1'])(
  'listening on %s, it has one origin',
  (listensOn) => {
    expect(originOf(OWN, listensOn)('devbox.test')).toBe(OWN)
  },
)

test.each(['0.0.0.0', '::', '192.168.1.5', 'devbox.test', '127.0.0.1.evil.example'])(
  'listening on %s, its origin is that of the request',
  (listensOn) => {
    const origin = originOf(OWN, listensOn)
    for (const host of ['devbox.test', 'devbox:4100', '192.168.1.5:80', '[fe80::1]:4100']) {
      expect(origin(host)).toBe(`http://${host}`)
    }
    for (const host of [
      undefined,
      '',
      'a@b',
      'a/b',
      'a b',
      'a"b',
      'a?b',
      'a:99999',
      '256.1.1.1',
      '[x]',
      'ä',
    ]) {
      expect([host, origin(host)]).toEqual([host, OWN])
    }
  },
)
