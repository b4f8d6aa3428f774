import { expect, it } from 'vitest'
import { axisTop, barsOf, countAxisTop, reasonsOf } from '../../../sandbox/dashboard/endpoints/chart.ts'
import { endpoint, payment, receiver, sandbox } from '../support.ts'
import { countsIn, dashboardOf, screen, send } from './support.ts'

/** A sandbox with an endpoint that accepts what the other one refuses, and two failed payments. */
async function twoEndpoints() {
  const { got, route } = await receiver((path) =>
    path === '/good' ? 200 : { status: 401, body: '{"error":\n "wrong signature"}' },
  )
  const on = await sandbox({ routes: [route], schedule: [] })
  const good = await endpoint(on, { url: 'https://shop.example/good', mode: 'test' })
  const bad = await endpoint(on, { url: 'https://shop.example/bad', mode: 'test' })
  for (let made = 0; made < 2; made += 1) on.act(await payment(on), { type: 'fail' })
  await on.idle()
  return { on, got, good, bad, dashboard: dashboardOf(on) }
}

it('shows why the deliveries of an endpoint fail, and lists those of one state', async () => {
  const { good, bad, dashboard } = await twoEndpoints()
  const { html } = await screen(`${dashboard}/endpoints/${bad.id}?state=failed`)
  expect(html).toContain('<strong>status 401</strong> <span class="small muted">2 attempts, last <time')
  expect(
    html.match(/<code class="refusal">\{&quot;error&quot;: &quot;wrong signature&quot;\}<\/code>/g),
  ).toHaveLength(2)
  expect(html).toContain('failed <span class="tally">2</span>')
  const none = (await screen(`${dashboard}/endpoints/${bad.id}?state=delivered`)).html
  expect(none).toContain('No delivered deliveries.')
  expect(none).not.toContain('class="refusal"')
  const healthy = (await screen(`${dashboard}/endpoints/${good.id}`)).html
  expect(healthy).not.toContain('class="reasons"')
  expect(healthy).not.toContain('Resend failed')
})

it('lists the events of an endpoint, and resends only its failed deliveries', async () => {
  const { on, got, good, bad, dashboard } = await twoEndpoints()
  const third = await endpoint(on, { url: 'https://shop.example/bad', mode: 'test' })
  on.act(await payment(on), { type: 'fail' })
  await on.idle()
  const listed = async (query: string) =>
    ((await screen(`${dashboard}/events?${query}`)).html.match(/<li class="event"/g) ?? []).length
  expect(await listed(`endpoint=${bad.id}`)).toBe(3)
  expect(await listed(`endpoint=${third.id}`)).toBe(1)
  expect(await listed(`endpoint=${good.id}&state=failed`)).toBe(0)
  const before = got.length
  const { location } = await send(`${dashboard}/deliveries/resend-failed?endpoint=${third.id}`)
  await on.idle()
  expect((await screen(on.url + location)).html).toContain('Resending 1 failed delivery.')
  expect(got).toHaveLength(before + 1)
  const deliveries = (await screen(`${dashboard}/endpoints/${third.id}`)).html
  expect(deliveries).toContain('<span class="badge neutral">resent</span>')
})

it('shows the health of each endpoint in the list, and which one is disabled', async () => {
  const { bad, dashboard } = await twoEndpoints()
  await send(`${dashboard}/endpoints/${bad.id}/toggle`, { is_enabled: 'false' })
  const { html } = await screen(`${dashboard}/endpoints`)
  const card = html.slice(html.indexOf(`id="${bad.id}"`))
  expect(countsIn(card)).toEqual(['0 delivered', '2 failed'])
  expect((await screen(dashboard)).html).toContain('>Disabled<')
})

it('links to the events that need attention, and keeps the rest of the filter', async () => {
  const { dashboard } = await twoEndpoints()
  const { html } = await screen(`${dashboard}/events`)
  expect(html).toContain('/events?state=failed">failed <span class="tally">2</span>')
  expect(html).toContain('state=failing">failing <span class="tally">0</span>')
  const filtered = (await screen(`${dashboard}/events?name=payment.failed`)).html
  expect(filtered).toContain('/events?name=payment.failed&amp;state=failed">failed</a>')
})

const attempt = (at: number, status: number | null, detail: string | null = null) => ({
  at,
  status,
  detail,
  durationMs: 10,
  error: null,
})

it('divides the time between the first attempt and the last evenly', () => {
  const bars = barsOf([attempt(0, 200), attempt(23_999, 500)])
  expect(bars).toHaveLength(24)
  expect(bars.map(({ at }) => at)).toEqual(Array.from({ length: 24 }, (_, index) => index * 1000))
  expect(bars.map(({ attempts }) => attempts).filter((count) => count > 0)).toEqual([1, 1])
  expect(barsOf([])).toEqual([])
  expect(barsOf([attempt(5, 200)])).toHaveLength(1)
})

it('ends an axis at a round number', () => {
  expect([0, 1, 3, 7, 10, 11, 222, 501, 1000].map(axisTop)).toEqual([1, 1, 5, 10, 10, 20, 500, 1000, 1000])
  expect([0, 1, 2, 3, 5, 9, 10, 44].map(countAxisTop)).toEqual([1, 1, 2, 4, 6, 10, 10, 50])
})

it('groups failures by their reason, the most frequent first', () => {
  const attempts = [attempt(1, 200), attempt(2, null, 'no route'), attempt(3, 500), attempt(4, 500)]
  expect(reasonsOf(attempts)).toEqual([
    { text: 'status 500', attempts: 2, lastAt: 4 },
    { text: 'no route', attempts: 1, lastAt: 2 },
  ])
})
