import { expect, it } from 'vitest'
import { checkout, load } from '../checkout/support.ts'
import { receiver, sandbox } from '../support.ts'
import { dashboardOf, screen } from './support.ts'

const NAME = '(hookproof listen)'

it('shows the forwarding URL of hookproof listen, and hides its endpoint after it stops', async () => {
  const on = await sandbox()
  const { got, route } = await receiver()
  const to = `${route.split('=')[1]}webhooks`
  const named = `${to} ${NAME}`
  const listening = new AbortController()
  const url = `${on.url}/sandbox/listen?${new URLSearchParams({ forward_to: to }).toString()}`
  const stream = await fetch(url, { method: 'POST', signal: listening.signal })
  expect(stream.status).toBe(200)

  const paid = await checkout(on)
  expect((await load(paid.url)).html).toContain(`The webhook will be sent to <code>${named}</code>`)
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

  listening.abort()
  await expect
    .poll(async () => (await screen(`${dashboard}/endpoints`)).html)
    .toContain('1 inactive endpoint created by <code>hookproof listen</code>')
  expect((await screen(`${dashboard}/endpoints`)).html).toContain('>No active endpoints. <')
  expect((await screen(dashboard)).html).not.toContain(NAME)
  expect((await screen(`${dashboard}/events`)).html).toContain(named)
  expect((await load(paid.url)).html).toContain(NAME)
  expect((await load((await checkout(on)).url)).html).not.toContain(NAME)
})
