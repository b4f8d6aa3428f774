import { expect, onTestFinished, test } from 'vitest'
import type { Sandbox } from '../../../sandbox/index.ts'
import { call, payment, receiver, sandbox, sharedSandbox } from '../support.ts'

const shared = sharedSandbox()

const query = (to: string) => `/sandbox/listen?${new URLSearchParams({ forward_to: to }).toString()}`

/** Starts `hookproof listen` for a URL; the lines of its stream. */
async function listen(on: Sandbox, to: string) {
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const response = await fetch(on.url + query(to), { method: 'POST', signal: stopping.signal })
  expect(response.status).toBe(200)
  const lines: Record<string, unknown>[] = []
  const ended = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const parts = (rest + decoder.decode(chunk as Uint8Array)).split('\n')
      rest = parts.pop() ?? ''
      lines.push(
        ...parts.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>),
      )
    }
  })().catch(() => undefined)
  await expect.poll(() => lines[0]?.['type']).toBe('ready')
  return { lines, ended, stop: () => stopping.abort() }
}

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
    const created = await call(on, 'POST', '/payments', {
      body: { amount: '1', currency: 'USD', webhook_url: url },
    })
    for (const { status, json } of [endpoint, created]) {
      expect([status, json['error']]).toEqual([
        400,
        expect.stringContaining('reserved for npx hookproof listen'),
      ])
    }
    const form = new URLSearchParams({ url, mode: 'test', events: 'payment.completed' })
    const page = await fetch(`${on.url}/dashboard/tea-house/endpoints`, { method: 'POST', body: form })
    expect([page.status, await listed(on)]).toEqual([400, []])
  },
)

test('after its endpoint was deleted, a listener gets another one with the same secret', async () => {
  const { got, route } = await receiver()
  const on = await sandbox()
  const to = route.split('=')[1] ?? ''
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
