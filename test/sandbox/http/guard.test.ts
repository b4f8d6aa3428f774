import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import express from 'express'
import { expect, test } from 'vitest'
import { originOf, ownPagesOnly } from '../../../sandbox/http/guard.ts'
import type { Sandbox } from '../../../sandbox/index.ts'
import { answerPageErrors } from '../../../sandbox/pages/errors.ts'
import { startServer } from '../../support/start-server.ts'
import { dashboardOf, everyScreen, screen, send } from '../dashboard/support.ts'
import { endpoint, payment, rawResponse, rawStatus, sandbox } from '../support.ts'

/** An address of this machine that is not loopback. */
const LAN = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

const PATHS = ['/', '/dashboard/tea-house', '/dashboard/tea-house/keys', '/dashboard/live', '/sandbox/clock']

const statusesOf = (on: Pick<Sandbox, 'url'>, sent?: Parameters<typeof rawStatus>[1]) =>
  Promise.all(PATHS.map((path) => rawStatus(on.url + path, sent)))

const ADMITTED = [302, 200, 200, 200, 200]
const all = (status: number) => PATHS.map(() => status)

test('a machine with a network interface runs these tests', () => {
  expect(LAN, 'a network interface besides loopback').toBeDefined()
})

test('peers on other machines get neither the dashboard nor the control API, whatever their Host header says', async () => {
  const on = await sandbox({ host: '0.0.0.0' })
  const { port } = new URL(on.url)
  expect(await statusesOf(on)).toEqual(ADMITTED)
  for (const Host of [`127.0.0.1:${port}`, `localhost:${port}`, `${LAN}:${port}`]) {
    expect([Host, await statusesOf(on, { headers: { Host }, from: LAN ?? '' })]).toEqual([Host, all(403)])
  }
  const created = {
    method: 'POST',
    body: new URLSearchParams({ mode: 'live', scopes: 'payments:write' }).toString(),
    from: LAN ?? '',
  }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  expect(await rawStatus(`${on.url}/dashboard/tea-house/keys`, { ...created, headers })).toBe(403)
})

test('a sandbox that listens on the address of its network interface admits nobody without the password', async () => {
  const host = LAN ?? ''
  expect(await statusesOf(await sandbox({ host }))).toEqual(all(403))
  const on = await sandbox({ host, dashboardPassword: 'correct horse' })
  expect(await statusesOf(on)).toEqual(all(401))
  const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  expect(await statusesOf(on, { headers: basic('anyone:correct horse') })).toEqual(ADMITTED)
  for (const wrong of ['anyone:correct hors', ':', '', 'correct horse:', 'x:correct horse ']) {
    expect([wrong, await statusesOf(on, { headers: basic(wrong) })]).toEqual([wrong, all(401)])
  }
  expect(await rawStatus(`${on.url}/healthz`)).toBe(200)
})

test.each(['127.0.0.2', '::1'])('a sandbox on %s has its dashboard and control API', async (host) => {
  expect(await statusesOf(await sandbox({ host }))).toEqual(ADMITTED)
})

test('what a proxy on this machine forwards is not local, and no page of another site reads anything', async () => {
  const on = await sandbox()
  const foreign = { Origin: 'https://evil.example' }
  for (const headers of [{ 'X-Forwarded-For': '203.0.113.9' }, { Forwarded: 'for=203.0.113.9' }, foreign]) {
    expect(await statusesOf(on, { headers })).toEqual(all(403))
  }
})

test('a form must come from a page of the sandbox itself, with its scheme', async () => {
  const on = await sandbox()
  const { host } = new URL(on.url)
  const statusFrom = (headers: Record<string, string>, path: string) =>
    rawStatus(on.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: 'amount=1.00&currency=USD',
    })
  for (const path of ['/dashboard/tea-house/payments', '/sandbox/reset']) {
    expect([path, await statusFrom({ Origin: `https://${host}` }, path)]).toEqual([path, 403])
    expect(await statusFrom({ Origin: 'http://localhost:1' }, path)).toBe(403)
    expect(await statusFrom({ Origin: 'https://evil.example' }, path)).toBe(403)
    expect(await statusFrom({ Origin: 'null' }, path)).toBe(403)
    expect(await statusFrom({ Origin: on.url, 'Sec-Fetch-Site': 'cross-site' }, path)).toBe(403)
    expect(await statusFrom({ Origin: on.url }, path)).toBeLessThan(400)
    // As a local program.
    expect(await statusFrom({}, path)).toBeLessThan(400)
  }
  const tunneled = { Origin: `https://${host}`, 'X-Forwarded-Proto': 'https' }
  expect(await statusFrom(tunneled, '/dashboard/tea-house/payments')).toBe(303)
})

test.each([
  ['/dashboard/tea-house/events?flash=x', '/dashboard/tea-house/events?flash='],
  ['/dashboard/tea-house/../../..//evil.example', '/dashboard/tea-house/payments?flash='],
  ['/dashboard/tea-house/%2e%2e/%2e%2e//evil.example', '/dashboard/tea-house/payments?flash='],
  ['/dashboard/tea-house/..\\..\\..\\\\evil.example', '/dashboard/tea-house/payments?flash='],
  ['//evil.example/dashboard/tea-house/', '/dashboard/tea-house/payments?flash='],
  ['https://evil.example/dashboard/tea-house/', '/dashboard/tea-house/payments?flash='],
  ['/dashboard/tea-house-2', '/dashboard/tea-house/payments?flash='],
  ['/dashboard/tea-house.evil.example/', '/dashboard/tea-house/payments?flash='],
  ['/v1', '/dashboard/tea-house/payments?flash='],
])('returns from a form to %s only if it is a page of the dashboard', async (back, location) => {
  const on = await sandbox()
  const moved = await send(`${dashboardOf(on)}/clock`, { count: '1', unit: 'minutes', back })
  expect(moved).toMatchObject({ status: 303, location: expect.stringContaining(location) })
})

const EVERYWHERE = { host: '0.0.0.0' }

const sentTo = async (
  address: string,
  raw?: Parameters<typeof rawResponse>[1],
): Promise<[number, string]> => {
  const response = await rawResponse(address, raw)
  return [response.statusCode ?? 0, await text(response)]
}

/** Creates a payment with this Host header, and returns its checkout URL from all three responses. */
async function checkouts(on: { url: string; testKey: string }, host: string): Promise<unknown[]> {
  const headers = { Host: host, 'X-API-Key': on.testKey, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ amount: '5', currency: 'USD' })
  const [, created] = await sentTo(`${on.url}/v1/payments`, { method: 'POST', headers, body })
  const { id, checkout_url: checkout } = JSON.parse(created)
  const [, found] = await sentTo(`${on.url}/v1/payments/${id}`, { headers })
  const [, listed] = await sentTo(`${on.url}/v1/payments`, { headers })
  return [checkout, JSON.parse(found).checkout_url, JSON.parse(listed).data[0].checkout_url]
}

test('other machines get a working checkout URL with the host name that they used', async () => {
  const on = await sandbox(EVERYWHERE)
  const host = `devbox.test:${new URL(on.url).port}`
  const [checkout, ...again] = await checkouts(on, host)
  expect(checkout).toMatch(new RegExp(`^http://${host}/test/checkout/tx_`))
  expect(again).toEqual([checkout, checkout])

  const address = on.url + new URL(String(checkout)).pathname
  expect(await sentTo(address, { headers: { Host: host } })).toEqual([
    200,
    expect.stringContaining('Simulate Success'),
  ])
  const press = (origin: string) =>
    sentTo(address, {
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
  for (const Host of [`devbox.test:${port}`, '192.168.1.5']) {
    expect(await statusesOf(on, { headers: { Host } })).toEqual(all(403))
  }
  expect(await rawStatus(`${on.url}/sandbox/clock`, { headers: { Host: `localhost:${port}` } })).toBe(200)
})

test('a sandbox on loopback ignores the Host header in its URLs', async () => {
  const on = await sandbox()
  const [checkout, ...again] = await checkouts(on, 'evil.example')
  expect(checkout).toMatch(new RegExp(`^${on.url}/test/checkout/tx_`))
  expect(again).toEqual([checkout, checkout])
  const address = String(checkout)
  expect((await sentTo(address, { headers: { Host: 'evil.example' } }))[0]).toBe(403)
  expect((await sentTo(address, {}))[0]).toBe(200)
})

test('its OpenAPI document has the host name of the request', async () => {
  const on = await sandbox(EVERYWHERE)
  const [, document] = await sentTo(`${on.url}/v1/openapi.json`, { headers: { Host: '192.168.1.5:4100' } })
  expect(JSON.parse(document).servers).toEqual([
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
    const malformed = ['', 'a@b', 'a/b', 'a b', 'a"b', 'a?b', 'a:99999', '256.1.1.1', '[x]', 'ä']
    for (const host of [undefined, ...malformed]) {
      expect([host, origin(host)]).toEqual([host, OWN])
    }
  },
)

async function filled(): Promise<{ on: Sandbox; id: string; screens: string[] }> {
  const on = await sandbox({ routes: ['https://shop.example/=http://127.0.0.1:9/'] })
  await endpoint(on, { url: 'https://shop.example/', mode: 'both' })
  const id = await payment(on)
  on.act(id, { type: 'succeed' })
  await on.idle()
  return { on, id, screens: await everyScreen(on, id) }
}

test('rejects host names that were rebound to this machine', async () => {
  const { on, screens } = await filled()
  const { port } = new URL(on.url)
  for (const address of [...screens, `${on.url}/`, `${on.url}/dashboard/live`]) {
    expect([address, await rawStatus(address, { headers: { Host: 'evil.example' } })]).toEqual([address, 403])
    expect(await rawStatus(address, { headers: { Host: `127.0.0.1.evil.example:${port}` } })).toBe(403)
    expect(await rawStatus(address, { headers: { Host: `localhost:${port}` } })).toBeLessThan(400)
  }
})

test('accepts the host name of its origin and no other', async () => {
  const app = express()
  app.use(ownPagesOnly(() => 'http://devbox.test:4100'))
  app.use((_request, response) => void response.send('shown'))
  app.use(answerPageErrors(() => {}))
  const address = await startServer(createServer(app))

  expect(await rawStatus(address, { headers: { Host: 'devbox.test:4100' } })).toBe(200)
  expect(await rawStatus(address, { headers: { Host: 'other.test:4100' } })).toBe(403)
  expect(await rawStatus(address, { headers: { Host: 'devbox.test.evil.example' } })).toBe(403)
})

test('forbids pages to load, run or send anything outside the sandbox', async () => {
  const { on, screens } = await filled()
  for (const address of [...screens, `${dashboardOf(on)}/no-such-screen`]) {
    const { headers, html } = await screen(address)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(html).not.toMatch(
      / (?:style|on\w+)="|<style|<script>|(?:src|href)="(?:https?:)?\/\/(?!127\.0\.0\.1)/,
    )
  }
})

test('shows complete keys only on the start screen, and no signing secret in the log', async () => {
  const { on, screens } = await filled()
  for (const address of screens) {
    const { html } = await screen(address)
    const isStart = address === dashboardOf(on)
    expect([address, html.includes(on.testKey), html.includes(on.liveKey)]).toEqual([
      address,
      isStart,
      isStart,
    ])
    if (address.endsWith('/log')) expect(html).not.toMatch(/whsec_\w/)
  }
})

test('shows nothing of another organization', async () => {
  const { on, id, screens } = await filled()
  const event = screens.find((address) => address.includes('/events/evt_')) ?? ''
  const delivery = /dlv_\w+/.exec((await screen(event)).html)?.[0]
  const endpointId = /we_\w+/.exec((await screen(`${dashboardOf(on)}/endpoints`)).html)?.[0]
  const key = /id="(key_\w+)"/.exec((await screen(`${dashboardOf(on)}/keys`)).html)?.[1]
  const other = `${on.url}/dashboard/other-shop`

  expect((await screen(event.replace('tea-house', 'other-shop'))).status).toBe(404)
  expect((await screen(`${event.replace('tea-house', 'other-shop')}/fixture`)).status).toBe(404)
  expect((await screen(`${other}/payments/${id}`)).status).toBe(404)
  for (const path of [
    `/payments/${id}/resend`,
    `/deliveries/${delivery}/resend`,
    `/deliveries/${delivery}/send-edited`,
    `/deliveries/${delivery}/retry`,
    `/deliveries/${delivery}/cancel`,
    `/endpoints/${endpointId}/delete`,
    `/endpoints/${endpointId}/toggle`,
    `/keys/${key}/revoke`,
  ]) {
    expect([path, (await send(other + path, { body: 'x' })).status]).toEqual([path, 404])
  }
  for (const path of ['', '/payments', '/events', '/endpoints', '/log']) {
    const { html } = await screen(other + path)
    expect(html).not.toContain(id)
    expect(html).not.toContain(endpointId)
    expect(html).not.toMatch(/dlv_|evt_|no connection/)
  }
})

test('explains a missing page and a form that is too large', async () => {
  const on = await sandbox()
  for (const path of [
    '/dashboard/nobody',
    '/dashboard/tea-house/nothing',
    '/dashboard/tea-house/events/evt_x',
  ]) {
    const { status, html } = await screen(on.url + path)
    expect([status, html.includes('<h1>Page not found</h1>')]).toEqual([404, true])
  }
  const large = await send(`${dashboardOf(on)}/payments`, { amount: '1'.repeat(2_000_000) })
  expect([large.status, large.html.includes('The form is larger than 1 MB.')]).toEqual([413, true])
})

test('serves its own styles and scripts, at URLs that change with the content', async () => {
  const on = await sandbox()
  const { html } = await screen(dashboardOf(on))
  const assets = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')

  expect(assets.length).toBeGreaterThan(3)
  for (const path of assets) {
    const response = await fetch(on.url + path)
    expect([path, response.status]).toEqual([path, 200])
    expect(path).toMatch(/\?v=[0-9a-f]{12}$/)
    expect(response.headers.get('content-type')).toMatch(
      /^(?:text\/(?:css|javascript); charset=utf-8|image\/svg\+xml)$/,
    )
  }
})

test('streams only the kinds of changes', async () => {
  const on = await sandbox()
  const aborting = new AbortController()
  const response = await fetch(`${on.url}/dashboard/live`, { signal: aborting.signal })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  await payment(on)
  let streamed = ''
  for await (const chunk of response.body ?? []) {
    streamed += Buffer.from(chunk).toString()
    if (streamed.includes('payment') && streamed.includes('call')) break
  }
  expect(streamed).toMatch(/^(?:data: [a-z ]+\n\n)+$/)
  aborting.abort()
})
