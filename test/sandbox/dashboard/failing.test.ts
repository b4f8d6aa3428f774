import { expect, it } from 'vitest'
import { endpoint, payment, receiver, sandbox } from '../support.ts'
import { countsIn, dashboardOf, delivered, screen, send } from './support.ts'

const events = (html: string): string[] => [
  ...new Set([...html.matchAll(/id="(evt_\w+)"/g)].map(([, id]) => id ?? '')),
]

it('shows a delivery that failed and is due again as failing, in the filter and in the counts', async () => {
  const { on, event, dashboard } = await delivered(() => 500)
  const shows = async (state: string) => events((await screen(`${dashboard}/events?state=${state}`)).html)

  expect(await shows('failing')).toEqual([event.id])
  expect(await shows('pending')).toEqual([])
  expect(await shows('failed')).toEqual([])
  expect(countsIn((await screen(dashboard)).html)).toEqual(['0 delivered', '1 failing'])
  on.advance(3_600_000 * 2)
  await on.idle()
  expect(await shows('failing')).toEqual([])
  expect(await shows('failed')).toEqual([event.id])
  expect(countsIn((await screen(dashboard)).html)).toEqual(['0 delivered', '1 failed'])
})

it('retries failing deliveries with the failed ones', async () => {
  let status = 500
  const { on, got, dashboard } = await delivered(() => status)
  status = 200
  const { location } = await send(`${dashboard}/deliveries/resend-failed`)
  await on.idle()
  expect((await screen(on.url + location)).html).toContain('Retrying 1 failing delivery now.')
  expect(got).toHaveLength(2)
})

it('asks before it resends more than 10 deliveries, shows progress, and repeats nothing on reload', async () => {
  let status = 500
  const { got, route } = await receiver(() => status)
  const on = await sandbox({ routes: [route], schedule: [] })
  await endpoint(on, { url: 'https://shop.example/webhooks', mode: 'test' })
  for (let made = 0; made < 11; made += 1) on.act(await payment(on), { type: 'fail' })
  await on.idle()
  const action = `${dashboardOf(on)}/deliveries/resend-failed`
  const asked = await send(action)
  expect([asked.status, asked.html.includes('11 failed deliveries')]).toEqual([200, true])
  await on.idle()
  expect(got).toHaveLength(11)

  status = 200
  const { location } = await send(action, { confirmed: 'yes' })
  await on.idle()
  for (let load = 0; load < 2; load += 1) {
    const { html } = await screen(on.url + location)
    expect(html).toContain('Resending 11 failed deliveries.')
    expect(html).toContain('Resent 11 deliveries: 11 delivered')
    expect(html).toContain('<progress id="resent" max="11" value="11">')
  }
  expect(got).toHaveLength(22)
})

it('resends selected events', async () => {
  const { on, got, event, dashboard } = await delivered()
  const { location } = await send(`${dashboard}/events/resend-selected`, [
    ['event', event.id],
    ['event', 'evt_unknown'],
  ])
  await on.idle()
  expect((await screen(on.url + location)).html).toContain('Resending to 1 recipient.')
  expect(got).toHaveLength(2)
})

it('pauses deliveries while hookproof listen is not running, and continues them', async () => {
  const on = await sandbox({ schedule: [60_000] })
  let status = 500
  const { got, route } = await receiver(() => status)
  const to = `${route.split('=')[1]}webhooks`
  async function listen() {
    const stop = new AbortController()
    const url = `${on.url}/sandbox/listen?${new URLSearchParams({ forward_to: to }).toString()}`
    expect((await fetch(url, { method: 'POST', signal: stop.signal })).status).toBe(200)
    return stop
  }
  const first = await listen()
  on.act(await payment(on), { type: 'fail' })
  await on.idle()
  first.abort()
  const list = async (state: string) => (await screen(`${dashboardOf(on)}/events?state=${state}`)).html
  await expect.poll(() => list('paused')).toContain('hookproof listen is not running')
  expect((await screen(dashboardOf(on))).html).toContain('>hookproof listen is not running<')
  on.advance(120_000)
  await on.idle()
  expect(got).toHaveLength(1)

  status = 200
  const second = await listen()
  await expect.poll(() => got.length).toBe(2)
  await on.idle()
  second.abort()
  expect(await list('delivered')).toContain('(hookproof listen)')
})
