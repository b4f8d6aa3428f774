import { describe, expect, it } from 'vitest'
import { sampleOf, VARIANTS } from '../../../sandbox/dashboard/catalog/variants.ts'
import { axisTop, barsOf, reasonsOf, summaryOf } from '../../../sandbox/dashboard/endpoints/chart.ts'
import { lineDiff } from '../../../sandbox/dashboard/event/compare.ts'
import { indentJson } from '../../../sandbox/dashboard/shared/json.ts'
import { EVENT_NAMES } from '../../../sandbox/model.ts'
import { validate } from '../../../schemas/validate.ts'
import { call, endpoint, payment, receiver, sandbox } from '../support.ts'
import { countsIn, dashboardOf, delivered, expectSigned, screen, send } from './support.ts'

it('shows the deliveries of an endpoint, its success rate and latency', async () => {
  const { endpointId, event, dashboard } = await delivered()
  const { html } = await screen(`${dashboard}/endpoints/${endpointId}`)
  expect(html).toContain('<strong>100%</strong> of 1 attempt succeeded.')
  expect(html).toContain(`/events/${event.id}`)
  expect((await screen(`${dashboard}/endpoints/we_unknown`)).status).toBe(404)
  const other = dashboard.replace('tea-house', 'other-shop')
  expect((await screen(`${other}/endpoints/${endpointId}`)).status).toBe(404)
})

it('edits an endpoint, and shows why an edit is rejected', async () => {
  const { on, endpointId, dashboard } = await delivered()
  const path = `${dashboard}/endpoints/${endpointId}`
  const rejected = await send(`${path}/edit`, { url: 'https://localhost/', events: 'payment.failed' })
  expect([rejected.status, rejected.html.includes('--route')]).toEqual([400, true])
  expect(rejected.html).toContain('value="https://localhost/"')
  const bare = await send(`${path}/edit`, { url: 'https://shop.example/%', events: 'payment.failed' })
  expect([bare.status, bare.html.includes('written as %25')]).toEqual([400, true])
  await send(`${path}/edit`, { url: 'https://shop.example/new', events: 'payment.failed', mode: 'both' })
  expect((await call(on, 'GET', `/webhooks/${endpointId}`)).json).toMatchObject({
    url: 'https://shop.example/new',
    events: ['payment.failed'],
  })
})

it('rolls the secret by deleting the endpoint and creating another', async () => {
  const { on, got, endpointId, secret, dashboard } = await delivered()
  const { location } = await send(`${dashboard}/endpoints/${endpointId}/roll`)
  expect((await call(on, 'GET', `/webhooks/${endpointId}`)).status).toBe(404)
  const { html } = await screen(on.url + location)
  const [rolled = ''] = /whsec_\w+/.exec(html) ?? []
  expect(rolled).not.toBe(secret)
  on.act(await payment(on), { type: 'succeed' })
  await on.idle()
  expectSigned(got[1], rolled)
})

it('sends every variant of the catalog to one endpoint alone', async () => {
  const { on, got, endpointId, secret, dashboard } = await delivered()
  expect(new Set(VARIANTS.map(({ event }) => event))).toEqual(new Set(EVENT_NAMES))
  for (const { id } of VARIANTS) await send(`${dashboard}/endpoints/${endpointId}/test`, { variant: id })
  await on.idle()
  const sent = got.slice(1).map(({ body }) => JSON.parse(String(body)) as { event: string })
  expect(sent.map(({ event }) => event).toSorted()).toEqual(VARIANTS.map(({ event }) => event).toSorted())
  for (const delivery of got) expectSigned(delivery, secret)
  for (const variant of VARIANTS) {
    const sample = sampleOf(variant, Date.now())
    expect([variant.id, validate('event.strict', sample)]).toEqual([variant.id, []])
    expect(sample).toMatchObject({ event: variant.event })
  }
})

it('creates no event without a recipient before a test event', async () => {
  const { dashboard, endpointId } = await delivered()
  const variant = 'payment.refunded-chargeback'
  const { location } = await send(`${dashboard}/endpoints/${endpointId}/test`, { variant })
  expect(location).toContain('test_sent')
  const { html } = await screen(`${dashboard}/events`)
  expect(html.match(/class="event"/g)).toHaveLength(2)
  expect(html).toContain('>payment.refunded</a>')
  expect(html).not.toContain('Not delivered')
})

it('sends an event of the catalog to a URL', async () => {
  const { on, got, dashboard } = await delivered()
  const path = `${dashboard}/catalog/payment.refunded`
  expect((await screen(path)).html).toContain('amount')
  const rejected = await send(`${path}/send`, {
    variant: 'payment.refunded-refund',
    url: 'https://localhost/',
  })
  expect([rejected.status, rejected.html.includes('--route')]).toEqual([400, true])
  const url = 'https://shop.example/other'
  await send(`${path}/send`, { variant: 'payment.refunded-refund', url })
  await on.idle()
  expect(got[1]?.path).toBe('/other')
  expectSigned(got[1], on.secret)
  expect((await screen(`${dashboard}/catalog/payment.unknown`)).status).toBe(404)
})

it('compares deliveries', async () => {
  const { on, event, dashboard } = await delivered()
  const path = `${dashboard}/events/${event.id}/compare`
  const alone = (await screen(path)).html
  expect(alone).toContain('This event has one delivery. Resend it to compare two.')
  expect(alone).not.toContain('<select name="a">')
  const [delivery] = /dlv_\w+/.exec((await screen(`${dashboard}/events/${event.id}`)).html) ?? []
  await send(`${dashboard}/deliveries/${delivery}/resend`)
  await on.idle()
  expect((await screen(path)).html).toContain('The bytes are identical.')
})

describe('a refused signature', () => {
  it('is explained on the page of its event: the bytes that differ, the cause and the code', async () => {
    const { event, dashboard } = await delivered(() => 401)
    const path = `${dashboard}/events/${event.id}`
    const { html } = await screen(path)
    expect(html).toContain('<h2 id="refused">Why your receiver answered 401</h2>')
    expect(html).toMatch(/<a href="#refused">find out why<\/a>/)
    const body = Buffer.from(event.body).toString()
    expect(html).toMatch(
      /aria-labelledby="signed-label">\d+\.\{\n {2}&quot;event&quot;: &quot;payment\.completed&quot;/,
    )
    expect(html).toContain('log these and compare, never the secret itself')

    const hashed = JSON.stringify(JSON.parse(body))
    const parsed = (await send(`${path}/refused`, { hashed })).html
    expect(parsed).toMatch(/<p class="problem">The body was parsed and serialized again\. Keep the raw bytes/)
    expect(parsed).toMatch(/<th scope="row">Signed<\/th><td>\d+\.\{<mark>.*<\/mark>&quot;event/)
    expect(parsed).toContain('Choose your framework above')
    expect(parsed).toContain(
      `rows="6" spellcheck="false" autocomplete="off" aria-describedby="hashed-hint">\n{&quot;event&quot;:&quot;`,
    )
    const flask = (await send(`${path}/refused`, { hashed, framework: 'flask' })).html
    expect(flask).toContain('<h3>Code that verifies the raw body, in Flask</h3>')
    expect(flask).toContain('<option selected>flask</option>')

    const altered = (await send(`${path}/refused`, { hashed: body.replace('25.00', '26.00') })).html
    expect(altered).toContain('<p class="problem">The body was altered. Keep the raw bytes')
    expect(altered).toMatch(/<mark>5<\/mark>[^]*<mark>6<\/mark>/)
    const same = (await send(`${path}/refused`, { hashed: body })).html
    expect(same).toContain('Identical: your receiver hashed the signed bytes')
    expect((await screen(`${path}/refused`)).status).toBe(200)
  })

  it('of several recipients is the one that is chosen, and what was accepted or wrong on purpose has none', async () => {
    const { on, event, dashboard } = await delivered(() => 401)
    const path = `${dashboard}/events/${event.id}`
    await send(`${path}/send`, { url: 'https://shop.example/other', body: '{"a": 1}' })
    await on.idle()
    const { html } = await screen(path)
    const [, other = ''] = /<option value="(dlv_\w+)">https:\/\/shop\.example\/webhooks/.exec(html) ?? []
    const chosen = (await send(`${path}/refused`, { delivery: other, hashed: '{"a": 1}' })).html
    expect(chosen).toMatch(/<option value="dlv_\w+" selected>https:\/\/shop\.example\/webhooks/)
    expect(chosen).toContain('class="problem"')
    expect((await send(`${path}/refused`, { hashed: '{"a": 1}' })).html).toContain('Identical: ')
    const accepted = await delivered()
    const its = await screen(`${accepted.dashboard}/events/${accepted.event.id}`)
    expect(its.html).not.toContain('id="refused"')
    expect(
      (await send(`${accepted.dashboard}/events/${accepted.event.id}/refused`, { hashed: '{}' })).status,
    ).toBe(200)
  })

  it('knows the framework by what it answered', async () => {
    const body = '<title>Error</title></head><body><pre>Unauthorized</pre>'
    const { event, dashboard } = await delivered(() => ({ status: 401, body }))
    const { html } = await screen(`${dashboard}/events/${event.id}`)
    expect(html).toContain('<option selected>express</option>')
  })

  it('of a long body that is entirely different takes no longer', async () => {
    const { event, dashboard } = await delivered(() => 401)
    const { status, html } = await send(`${dashboard}/events/${event.id}/refused`, {
      hashed: lines(40_000, 'x'),
    })
    expect(status).toBe(200)
    expect(html).toContain('They differ from byte 0:')
    const deep = `${'['.repeat(4_000)}${'1,'.repeat(20_000)}1${']'.repeat(4_000)}`
    expect((await send(`${dashboard}/events/${event.id}/refused`, { hashed: deep })).status).toBe(200)
  })
})

it('refunds a payment on its page', async () => {
  const { on, id, dashboard } = await delivered()
  expect((await screen(`${dashboard}/payments/${id}`)).html).toContain('>Chargeback<')
  await send(`${dashboard}/payments/${id}/reverse`, { refund_type: 'refund' })
  await on.idle()
  const { html } = await screen(`${dashboard}/payments/${id}`)
  expect(html).toContain('payment.refunded')
  expect(html).not.toContain('/reverse"')
  expect((await send(`${dashboard}/payments/${id}/reverse`, { refund_type: 'refund' })).status).toBe(409)
})

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
  durationMs: status === null ? 5000 : 10,
  error: null,
  onPurpose: 0 as const,
})

it('measures the latency of responses alone', () => {
  const attempts = [attempt(1, null, 'the name has no address'), attempt(2, null), attempt(3, 200)]
  expect(summaryOf(attempts)).toEqual({ attempts: 3, successPercent: 33.3, medianMs: 10, p95Ms: 10 })
  expect(barsOf(attempts).map(({ latencyMs }) => latencyMs)).toEqual([10])
  expect(barsOf([attempt(1, null)]).map(({ latencyMs }) => latencyMs)).toEqual([undefined])
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
  expect([10, 11, 44, 222, 501, 1000].map(axisTop)).toEqual([10, 20, 50, 500, 1000, 1000])
  expect([0, 1, 2, 3, 5, 9].map(axisTop)).toEqual([1, 1, 2, 4, 6, 10])
})

it('groups failures by their reason, the most frequent first', () => {
  const attempts = [attempt(1, 200), attempt(2, null, 'no route'), attempt(3, 500), attempt(4, 500)]
  expect(reasonsOf(attempts)).toEqual([
    { text: 'status 500', attempts: 2, lastAt: 4 },
    { text: 'no route', attempts: 1, lastAt: 2 },
  ])
})

const lines = (count: number, prefix: string): string =>
  Array.from({ length: count }, (_, index) => prefix + index).join('\n')

it('limits the time of a comparison', () => {
  expect(lineDiff(lines(4_000, 'a'), lines(4_000, 'b'))).toBeUndefined()
  expect(lineDiff(lines(100_000, 'a'), lines(100_000, 'a'))).toBeUndefined()
  expect(lineDiff('a'.repeat(1_000_000), 'b')).toBeUndefined()
  const changed = lineDiff(lines(4_000, 'a'), lines(4_000, 'a').replace('a7\n', 'b\n'))
  expect(changed?.filter(({ change }) => change !== 'same')).toEqual([
    { change: 'removed', text: 'a7' },
    { change: 'added', text: 'b' },
  ])
})

it('shows a deep or long body as it is, since its indentation would be far longer', async () => {
  const { event, dashboard } = await delivered()
  const deep = `${'['.repeat(4_000)}${'1,'.repeat(20_000)}1${']'.repeat(4_000)}`
  expect(indentJson(deep)).toBeUndefined()
  expect(indentJson(`[${'1,'.repeat(300_000)}1]`)).toBeUndefined()
  expect(indentJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
  const [delivery] = /dlv_\w+/.exec((await screen(`${dashboard}/events/${event.id}`)).html) ?? []
  await send(`${dashboard}/deliveries/${delivery}/send-edited`, { body: deep })
  const { html } = await screen(`${dashboard}/events/${event.id}/compare`)
  expect(html.length).toBeLessThan(6 * deep.length)
  expect((await screen(`${dashboard}/events/${event.id}`)).status).toBe(200)
})

it('says which deliveries are wrong on purpose, and does not count them as failures', async () => {
  let status = 200
  const { got, route } = await receiver(() => status)
  const on = await sandbox({ routes: [route], schedule: [] })
  const { id } = await endpoint(on, { url: 'https://shop.example/webhooks', mode: 'test' })
  on.act(await payment(on), { type: 'succeed' })
  await on.idle()
  status = 401
  const { event } = on.act(await payment(on), { type: 'succeed' }, { chaos: { badSignature: true } })
  await on.idle()
  expect(got).toHaveLength(2)
  const dashboard = dashboardOf(on)
  const own = (await screen(`${dashboard}/endpoints/${id}`)).html
  expect(own).toContain('<strong>100%</strong> of 1 attempt succeeded.')
  expect(own).toContain('1 attempt was wrong on purpose (chaos) and does not count.')
  expect(own).not.toContain('status 401')
  expect(own).not.toContain('Resend failed')
  const start = (await screen(dashboard)).html
  expect(countsIn(start)).toEqual(['1 delivered', '1 wrong on purpose'])
  expect(start).toContain('Healthy (200)')
  expect((await screen(`${dashboard}/events`)).html).toContain('failed <span class="tally">0</span>')
  expect((await screen(`${dashboard}/events?state=failed`)).html).not.toContain(event.id)
  expect((await screen(`${dashboard}/events?state=wrong+on+purpose`)).html).toContain(event.id)
  const { html } = await screen(`${dashboard}/events/${event.id}`)
  expect(html).toContain('<span class="badge neutral">wrong on purpose</span>')
  expect(html).not.toContain('badge error')
})

it('says that a receiver accepted a delivery that is wrong on purpose', async () => {
  const { on, dashboard } = await delivered()
  const { event } = on.act(await payment(on), { type: 'succeed' }, { chaos: { staleBySeconds: 301 } })
  await on.idle()
  const { html } = await screen(`${dashboard}/events/${event.id}`)
  expect(html).toContain('<span class="badge error">accepted, although it is wrong</span>')
})

it('counts a failure after the attempts that were dropped on purpose, and one of a fault that a receiver accepts', async () => {
  const { on, endpointId, dashboard } = await delivered(() => 500)
  for (const chaos of [{ dropFirst: 1 }, { extraLabel: true }, { staleBySeconds: 300 }])
    on.act(await payment(on), { type: 'succeed' }, { chaos })
  await on.idle()
  const waiting = (await screen(`${dashboard}/endpoints/${endpointId}`)).html
  expect(waiting).toContain('<strong>0%</strong> of 3 attempts succeeded.')
  expect(countsIn((await screen(dashboard)).html)).toEqual(['0 delivered', '3 failing', '1 pending'])
  on.advance(2 * 3_600_000)
  await on.idle()
  expect(countsIn((await screen(dashboard)).html)).toEqual(['0 delivered', '4 failed'])
})
