import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, it, onTestFinished } from 'vitest'
import { ownPagesOnly } from '../../../sandbox/http/guard.ts'
import type { Sandbox } from '../../../sandbox/index.ts'
import { answerPageErrors } from '../../../sandbox/pages/errors.ts'
import { endpoint, payment, sandbox } from '../support.ts'
import { dashboardOf, everyScreen, screen, send } from './support.ts'

/** The status of a GET with headers that fetch does not allow. */
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

it('rejects host names that were rebound to this machine', async () => {
  const { on, screens } = await filled()
  const { port } = new URL(on.url)
  for (const address of [...screens, `${on.url}/`, `${on.url}/dashboard/live`]) {
    expect([address, await statusWith(address, { Host: 'evil.example' })]).toEqual([address, 403])
    expect(await statusWith(address, { Host: `127.0.0.1.evil.example:${port}` })).toBe(403)
    expect(await statusWith(address, { Host: `localhost:${port}` })).toBeLessThan(400)
  }
})

it('accepts the host name of its origin and no other', async () => {
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

it('accepts forms only from its own pages', async () => {
  const { on } = await filled()
  const address = `${dashboardOf(on)}/payments`
  const form = { amount: '1.00', currency: 'USD' }
  const statusOf = async (headers: Record<string, string>) => (await send(address, form, headers)).status

  expect(await statusOf({})).toBe(303)
  expect(await statusOf({ Origin: 'http://evil.example' })).toBe(403)
  expect(await statusOf({ Origin: 'null' })).toBe(403)
  expect(await statusOf({ Origin: 'http://127.0.0.1:1' })).toBe(403)
  expect(await statusOf({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
  // A local program sends neither header.
  const bare = await fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  expect(bare.status).toBe(303)
})

it('forbids pages to load, run or send anything outside the sandbox', async () => {
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

it('shows complete keys only on the start screen, and no signing secret in the log', async () => {
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

it('shows nothing of another organization', async () => {
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

it('redirects only to its own pages', async () => {
  const { on, screens } = await filled()
  const event = screens.find((address) => address.includes('/events/evt_')) ?? ''
  const id = /dlv_\w+/.exec((await screen(event)).html)?.[0] ?? ''
  for (const back of [
    'https://evil.example/',
    '//evil.example/',
    '/dashboard/tea-house.evil.example/',
    '/v1',
  ]) {
    const { location } = await send(`${dashboardOf(on)}/deliveries/${id}/cancel`, { back })
    expect([back, location.startsWith('/dashboard/tea-house/') || location === '']).toEqual([back, true])
  }
})

it('explains a missing page and a form that is too large', async () => {
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

it('serves its own styles and scripts, at URLs that change with the content', async () => {
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

it('streams only the kinds of changes', async () => {
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
