import http from 'node:http'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import type { Sandbox } from '../../../sandbox/index.ts'
import { sandbox } from '../support.ts'

interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  /** The address to connect from. */
  readonly from?: string
  readonly body?: string
}

/** Uses node:http, which allows any Host header and local address. */
function send(address: string, { method = 'GET', headers = {}, from, body }: Sent = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, ...(from !== undefined && { localAddress: from }) }
    const request = http.request(address, options, (response) => {
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** An address of this machine that is not loopback. */
const LAN = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

const PATHS = ['/', '/dashboard/tea-house', '/dashboard/tea-house/keys', '/dashboard/live', '/sandbox/clock']

const statusesOf = (on: Pick<Sandbox, 'url'>, sent?: Sent) =>
  Promise.all(PATHS.map((path) => send(on.url + path, sent)))

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
  expect(await send(`${on.url}/dashboard/tea-house/keys`, { ...created, headers })).toBe(403)
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
  expect(await send(`${on.url}/healthz`)).toBe(200)
})

test.each(['127.0.0.2', '::1'])('a sandbox on %s has its dashboard and control API', async (host) => {
  expect(await statusesOf(await sandbox({ host }))).toEqual(ADMITTED)
})

test('what a proxy on this machine forwards is not local', async () => {
  const on = await sandbox()
  for (const headers of [{ 'X-Forwarded-For': '203.0.113.9' }, { Forwarded: 'for=203.0.113.9' }]) {
    expect(await statusesOf(on, { headers })).toEqual(all(403))
  }
})

test('a form must come from a page of the sandbox itself, with its scheme', async () => {
  const on = await sandbox()
  const { host } = new URL(on.url)
  const statusFrom = (headers: Record<string, string>, path: string) =>
    send(on.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: 'amount=1.00&currency=USD',
    })
  for (const path of ['/dashboard/tea-house/payments', '/sandbox/reset']) {
    expect([path, await statusFrom({ Origin: `https://${host}` }, path)]).toEqual([path, 403])
    expect(await statusFrom({ Origin: 'http://localhost:1' }, path)).toBe(403)
    expect(await statusFrom({ Origin: 'null' }, path)).toBe(403)
    expect(await statusFrom({ Origin: on.url }, path)).toBeLessThan(400)
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
])('returns from a form to %s only if it is a page of the dashboard', async (back, location) => {
  const on = await sandbox()
  const body = new URLSearchParams({ count: '1', unit: 'minutes', back })
  const response = await fetch(`${on.url}/dashboard/tea-house/clock`, {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toContain(location)
})
