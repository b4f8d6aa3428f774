import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import net from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lineStream } from '../../../sandbox/http/streams.ts'
import type { Sandbox } from '../../../sandbox/index.ts'
import { startServer } from '../../support/start-server.ts'
import { checkout } from '../checkout/support.ts'
import { dashboardOf, screen } from '../dashboard/support.ts'
import { call, listen, payment, receiver, sandbox, sharedSandbox } from '../support.ts'

/** A response whose client has read its head and nothing more, and which holds bytes that the client has not read. */
async function unread(): Promise<{ response: ServerResponse; client: net.Socket }> {
  const server = createServer()
  const { port } = new URL(await startServer(server))
  const client = net.connect(Number(port), '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  response.flushHeaders()
  await once(client, 'data')
  client.pause()
  // More than the system buffers.
  response.write('x'.repeat(16 * 1024 * 1024))
  expect(response.writableLength).toBeGreaterThan(0)
  return { response, client }
}

const HEARTBEAT = { heartbeat: '\n', intervalMs: 20 }

test('a stream ends with a reason when its client has stopped reading', async () => {
  const { response, client } = await unread()
  const onEnd = vi.fn()
  const { write } = lineStream(response, { ...HEARTBEAT, mostWaiting: 1024, slow: () => 'too slow', onEnd })
  write('one')
  write('two')
  expect([response.writableEnded, onEnd.mock.calls.length]).toEqual([true, 1])
  let last = ''
  client.on('data', (chunk: Buffer) => (last = (last + chunk.toString('latin1')).slice(-100)))
  client.resume()
  await once(response, 'close')
  await expect.poll(() => last).toContain('too slow')
  expect(last).not.toContain('one')
})

test('nothing is written after the end, which a client that does not read delays', async () => {
  const { response, client } = await unread()
  const failures = vi.fn()
  response.on('error', failures)
  const onEnd = vi.fn()
  const { write, end } = lineStream(response, { ...HEARTBEAT, mostWaiting: Infinity, onEnd })
  end('gone')
  // Its interval would write too.
  await new Promise((resolve) => setTimeout(resolve, 50))
  write('after')
  end('again')
  expect([failures.mock.calls, onEnd.mock.calls.length, response.closed]).toEqual([[], 1, false])
  client.destroy()
  await once(response, 'close')
  expect(onEnd).toHaveBeenCalledTimes(1)
})

test('a stream ends when its client disconnects', async () => {
  const { response, client } = await unread()
  const onEnd = vi.fn()
  const { write } = lineStream(response, { ...HEARTBEAT, onEnd })
  client.destroy()
  await once(response, 'close')
  write('after')
  expect(onEnd).toHaveBeenCalledTimes(1)
})

const shared = sharedSandbox()

const listed = async (on: Sandbox) =>
  (await call(on, 'GET', '/webhooks')).json['data'] as { id: string; url: string; is_enabled: boolean }[]

const LISTENERS = [
  'https://localhost-3000.listen.example/',
  'https://a.b.LISTEN.example./x',
  'https://listen.example/',
]

test.each(LISTENERS)(
  'the API registers no endpoint and no webhook_url in the namespace of listeners: %s',
  async (url) => {
    const on = shared()
    const endpoint = await call(on, 'POST', '/webhooks', { body: { url } })
    const body = { amount: '1', currency: 'USD', webhook_url: url }
    const created = await call(on, 'POST', '/payments', { body })
    for (const { status, json } of [endpoint, created]) {
      const reserved = expect.stringContaining('reserved for npx hookproof listen')
      expect([status, json['error']]).toEqual([400, reserved])
    }
    const form = new URLSearchParams({ url, mode: 'test', events: 'payment.completed' })
    const page = await fetch(`${on.url}/dashboard/tea-house/endpoints`, { method: 'POST', body: form })
    expect([page.status, await listed(on)]).toEqual([400, []])
  },
)

test('after its endpoint was deleted, a listener gets another one with the same secret', async () => {
  const { got, to } = await receiver()
  const on = await sandbox()
  const [first, second] = [await listen(on, to), await listen(on, to)]
  const [endpoint] = await listed(on)
  expect((await call(on, 'DELETE', `/webhooks/${endpoint?.id}`)).status).toBe(204)
  await Promise.all([first.ended, second.ended])
  expect(first.lines.at(-1)).toEqual({ type: 'gone', why: 'deleted' })

  const again = await listen(on, to)
  expect(again.lines[0]).toEqual({ type: 'ready', secret: on.secret })
  const [other, ...more] = await listed(on)
  expect([other?.is_enabled, more]).toEqual([true, []])
  expect(other?.id).not.toBe(endpoint?.id)
  on.act(await payment(on), { type: 'succeed' })
  await on.idle()
  expect(got).toHaveLength(1)
  again.stop()
  await expect.poll(async () => (await listed(on))[0]?.is_enabled).toBe(false)
})

test('listeners for a.b and a-b have endpoints of their own', async () => {
  const on = await sandbox()
  await listen(on, 'http://a.b:8080/hooks')
  await listen(on, 'http://a-b:8080/hooks')
  expect(new Set((await listed(on)).map(({ url }) => url)).size).toBe(2)
})

const NAME = '(hookproof listen)'

test('shows the forwarding URL of hookproof listen, and hides its endpoint after it stops', async () => {
  const on = await sandbox()
  const { got, to } = await receiver()
  const named = `${to}webhooks ${NAME}`
  const listening = await listen(on, `${to}webhooks`)

  const paid = await checkout(on)
  expect((await screen(paid.url)).html).toContain(`The webhook will be sent to <code>${named}</code>`)
  const { event } = on.act(paid.id, { type: 'succeed' })
  await on.idle()
  expect(got).toHaveLength(1)
  const dashboard = dashboardOf(on)
  const paths = ['', '/endpoints', '/events', `/events/${event.id}`, `/payments/${paid.id}`]
  for (const path of paths) {
    const { html } = await screen(dashboard + path)
    expect([path, html.includes(`>${named}<`)]).toEqual([path, true])
    // The Host header of an attempt is shown as it was sent.
    const rest = html.replaceAll(/\bHost: \S+/g, '')
    const names = rest.split('\n').filter((line) => line.includes('.listen.example'))
    expect([path, names]).toEqual([path, []])
    expect([path, html.includes('routed to')]).toEqual([path, false])
  }

  listening.stop()
  await expect
    .poll(async () => (await screen(`${dashboard}/endpoints`)).html)
    .toContain('1 inactive endpoint created by <code>hookproof listen</code>')
  expect((await screen(`${dashboard}/endpoints`)).html).toContain('>No active endpoints. <')
  expect((await screen(dashboard)).html).not.toContain(NAME)
  expect((await screen(`${dashboard}/events`)).html).toContain(named)
  expect((await screen(paid.url)).html).toContain(NAME)
  expect((await screen((await checkout(on)).url)).html).not.toContain(NAME)
})
