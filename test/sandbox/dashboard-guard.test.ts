import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, it, onTestFinished } from 'vitest'
import type { Sandbox } from '../../sandbox/index.ts'
import { answerPageErrors, ownPagesOnly } from '../../sandbox/pages/index.ts'
import { deskOf, everyScreen, screen, send } from './dashboard-support.ts'
import { endpoint, payment, sandbox } from './support.ts'

/** The status of a GET with headers that fetch does not let one choose. */
function statusWith(address: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get(address, { headers }, (response) => {
        response.destroy()
        resolve(response.statusCode ?? 0)
      })
      .on('error', reject)
  })
}

async function filled(): Promise<{ on: Sandbox; id: string; screens: string[] }> {
  const on = await sandbox({ routes: ['https://shop.example/=http://127.0.0.1:9/'] })
  await endpoint(on, { url: 'https://shop.example/', mode: 'both' })
  const id = await payment(on)
  on.act(id, { type: 'succeed' })
  await on.idle()
  return { on, id, screens: await everyScreen(on, id) }
}

it('shows nothing to a name that was rebound to this machine', async () => {
  const { on, screens } = await filled()
  const { port } = new URL(on.url)
  for (const address of [...screens, `${on.url}/`, `${on.url}/dashboard/live`]) {
    expect([address, await statusWith(address, { Host: 'evil.example' })]).toEqual([address, 403])
    expect(await statusWith(address, { Host: `127.0.0.1.evil.example:${port}` })).toBe(403)
    expect(await statusWith(address, { Host: `localhost:${port}` })).toBeLessThan(400)
  }
})

it('answers to the name that the operator gave it, and to no other', async () => {
  const app = express()
  app.use(ownPagesOnly(() => 'http://devbox.test:4100'))
  app.use((_request, response) => void response.send('shown'))
  app.use(answerPageErrors(() => {}))
  const server = app.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  expect(await statusWith(address, { Host: 'devbox.test:4100' })).toBe(200)
  expect(await statusWith(address, { Host: 'other.test:4100' })).toBe(403)
  expect(await statusWith(address, { Host: 'devbox.test.evil.example' })).toBe(403)
})

it('takes forms from its own pages only', async () => {
  const { on } = await filled()
  const address = `${deskOf(on)}/payments`
  const form = { amount: '1.00', currency: 'USD' }
  const statusOf = async (headers: Record<string, string>) => (await send(address, form, headers)).status

  expect(await statusOf({})).toBe(303)
  expect(await statusOf({ Origin: 'http://evil.example' })).toBe(403)
  expect(await statusOf({ Origin: 'null' })).toBe(403)
  expect(await statusOf({ Origin: 'http://127.0.0.1:1' })).toBe(403)
  expect(await statusOf({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
  // A program of this machine's own sends neither.
  const bare = await fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  expect(bare.status).toBe(303)
})

it('lets no page load, run or send anything from or to elsewhere', async () => {
  const { on, screens } = await filled()
  for (const address of [...screens, `${deskOf(on)}/no-such-screen`]) {
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

it('holds whole keys on the start screen only, and no signing secret in the log', async () => {
  const { on, screens } = await filled()
  for (const address of screens) {
    const { html } = await screen(address)
    const isStart = address === deskOf(on)
    expect([address, html.includes(on.testKey), html.includes(on.liveKey)]).toEqual([
      address,
      isStart,
      isStart,
    ])
    if (address.endsWith('/log')) expect(html).not.toMatch(/whsec_\w/)
  }
})

it('shows one organization nothing of the other', async () => {
  const { on, id, screens } = await filled()
  const event = screens.find((address) => address.includes('/events/evt_')) ?? ''
  const delivery = /dlv_\w+/.exec((await screen(event)).html)?.[0]
  const endpointId = /we_\w+/.exec((await screen(`${deskOf(on)}/endpoints`)).html)?.[0]
  const key = /id="(key_\w+)"/.exec((await screen(`${deskOf(on)}/keys`)).html)?.[1]
  const other = `${on.url}/dashboard/other-shop`

  expect((await screen(event.replace('tea-house', 'other-shop'))).status).toBe(404)
  expect((await screen(`${event.replace('tea-house', 'other-shop')}/fixture`)).status).toBe(404)
  expect((await screen(`${other}/payments/${id}`)).status).toBe(404)
  for (const path of [
    `/payments/${id}/resend`,
    `/deliveries/${delivery}/redeliver`,
    `/deliveries/${delivery}/edited`,
    `/deliveries/${delivery}/retry`,
    `/deliveries/${delivery}/cancel`,
    `/endpoints/${endpointId}/delete`,
    `/endpoints/${endpointId}/switch`,
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

it('leads back to its own pages only', async () => {
  const { on, screens } = await filled()
  const event = screens.find((address) => address.includes('/events/evt_')) ?? ''
  const id = /dlv_\w+/.exec((await screen(event)).html)?.[0] ?? ''
  for (const back of [
    'https://evil.example/',
    '//evil.example/',
    '/dashboard/tea-house.evil.example/',
    '/v1',
  ]) {
    const { location } = await send(`${deskOf(on)}/deliveries/${id}/cancel`, { back })
    expect([back, location.startsWith('/dashboard/tea-house/') || location === '']).toEqual([back, true])
  }
})

it('says plainly that something is not there, or too large', async () => {
  const on = await sandbox()
  for (const path of [
    '/dashboard/nobody',
    '/dashboard/tea-house/nothing',
    '/dashboard/tea-house/events/evt_x',
  ]) {
    const { status, html } = await screen(on.url + path)
    expect([status, html.includes('<h1>Not here</h1>')]).toEqual([404, true])
  }
  const large = await send(`${deskOf(on)}/payments`, { amount: '1'.repeat(2_000_000) })
  expect([large.status, large.html.includes('more than the sandbox takes')]).toEqual([413, true])
})

it('serves its style and scripts itself, under addresses that change with the content', async () => {
  const on = await sandbox()
  const { html } = await screen(deskOf(on))
  const assets = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')

  expect(assets.length).toBeGreaterThan(3)
  for (const path of assets) {
    const response = await fetch(on.url + path)
    expect([path, response.status]).toEqual([path, 200])
    expect(path).toMatch(/\?v=[0-9a-f]{12}$/)
    expect(response.headers.get('content-type')).toMatch(/^text\/(?:css|javascript); charset=utf-8$/)
  }
})

it('tells live of changes by their kinds alone', async () => {
  const on = await sandbox()
  const aborting = new AbortController()
  const response = await fetch(`${on.url}/dashboard/live`, { signal: aborting.signal })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  await payment(on)
  let told = ''
  for await (const chunk of response.body ?? []) {
    told += Buffer.from(chunk).toString()
    if (told.includes('payment') && told.includes('call')) break
  }
  expect(told).toMatch(/^(?:data: [a-z ]+\n\n)+$/)
  aborting.abort()
})
