import { expect, it } from 'vitest'
import type { SandboxOptions } from '../../../sandbox/index.ts'
import { call, callFreely, endpoint, payment, sandbox } from '../support.ts'
import { dashboardOf, delivered, screen, send } from './support.ts'

it('creates payments as the API does, and rejects what the API rejects', async () => {
  const on = await sandbox()
  const dashboard = dashboardOf(on)
  const created = await send(`${dashboard}/payments`, {
    amount: '12.50',
    currency: 'EUR',
    mode: 'live',
    webhook_url: 'HTTPS://shop.example/hooks',
    return_url: 'https://shop.example/thanks',
    metadata: 'order=SO-1\r\nnote=a=b',
  })
  const id = /tx_\w+/.exec(created.location)?.[0] ?? ''
  const { json } = await call(on, 'GET', `/payments/${id}`, { key: on.liveKey })
  expect(json).toMatchObject({
    amount: '12.50',
    currency: 'EUR',
    livemode: true,
    webhook_url: 'https://shop.example/hooks',
    return_url: 'https://shop.example/thanks',
    metadata: { order: 'SO-1', note: 'a=b' },
  })
  const valid = { amount: '1.00', currency: 'USD' }
  for (const [invalid, message] of [
    [{ amount: '-1' }, '>Amount: expected decimal text'],
    [{ webhook_url: 'https://shop.example:0/' }, 'webhook_url: The URL must not use port 0.'],
    [{ amount: '0.00' }, 'greater than zero'],
    [{ webhook_url: 'https://localhost/hooks' }, '--route'],
    [{ webhook_url: 'http://localhost:3000/hooks' }, '--route'],
    [{ return_url: 'javascript:alert(1)' }, 'return_url must start'],
    [{ metadata: 'nonsense' }, 'name=value'],
  ] as const) {
    const { status, html } = await send(`${dashboard}/payments`, { ...valid, ...invalid })
    expect([status, html.includes(message)], message).toEqual([400, true])
  }
})

it('shows the timeline of a payment, and ends its window alone', async () => {
  const { on, dashboard } = await delivered()
  const [id = '', other = ''] = await Promise.all([1, 2].map(() => payment(on, { amount: '1.50' })))
  for (const one of [id, other]) on.act(one, { type: 'pay_part', method: 'gift_card', amount: '1.00' })
  await on.idle()
  const { html } = await screen(`${dashboard}/payments/${id}`)
  expect(html).toContain('24-hour gift card window ends')
  const [, form = ''] = /<li class="upcoming">[^]*?<form([^]*?)<\/form>/.exec(html) ?? []
  expect(form).toContain('>End it now</button>')
  const action = /action="([^"]*)"/.exec(form)?.[1] ?? ''
  const { location } = await send(on.url + action)
  expect(location).toBe(`/dashboard/tea-house/payments/${id}?flash=window_ended`)
  await on.idle()
  const later = (await screen(`${dashboard}/payments/${id}`)).html
  expect(later).toContain('payment.expired')
  expect(later).not.toContain('Clock is')
  expect((await screen(`${dashboard}/payments/${other}`)).html).toContain('24-hour gift card window ends')
  expect((await send(on.url + action)).status).toBe(409)
})

it('offers on the page of a payment first what its state asks for', async () => {
  const { on, dashboard } = await delivered()
  const mainOf = async (id: string) => {
    const { html } = await screen(`${dashboard}/payments/${id}`)
    const [main = ''] = /<main [^]*<\/main>/.exec(html) ?? []
    const found = [...main.matchAll(/<(?:a class="button"[^>]*|button)>([^<]+)</g)].map(([, text]) => text)
    return [found, html.includes('>Open checkout<')]
  }
  const id = await payment(on)
  expect(await mainOf(id)).toEqual([['Open checkout'], true])
  on.act(id, { type: 'succeed' })
  expect(await mainOf(id)).toEqual([['Resend payment.completed'], false])
  on.act(id, { type: 'reverse', as: 'refund' })
  expect(await mainOf(id)).toEqual([['View events'], false])
  const failed = await payment(on)
  on.act(failed, { type: 'fail' })
  expect(await mainOf(failed)).toEqual([['View events'], false])
})

it('sends a test event with one button, also without anybody who receives it', async () => {
  const { on, got, dashboard } = await delivered()
  expect((await screen(dashboard)).html).toContain(
    'action="/dashboard/tea-house/test-event"><button>Send a test event<',
  )
  const { location } = await send(`${dashboard}/test-event`)
  expect(location).toMatch(/^\/dashboard\/tea-house\/events\/evt_\w+\?flash=test_sent$/)
  await on.idle()
  expect(JSON.parse(String(got[1]?.body))).toMatchObject({
    event: 'payment.completed',
    test: true,
    livemode: false,
  })
  const alone = await sandbox()
  const sent = await send(`${dashboardOf(alone)}/test-event`)
  expect((await screen(alone.url + sent.location)).html).toContain('Not delivered: no matching endpoint')
})

it('searches the API log in paths, statuses, requests and responses', async () => {
  const on = await sandbox()
  await payment(on, { metadata: { order: 'SO-1_%' } })
  await payment(on, { metadata: { order: 'SO-2' } })
  await call(on, 'GET', '/payments/tx_none')
  const found = async (query: string) => {
    const { html } = await screen(`${dashboardOf(on)}/log?${query}`)
    return [html.match(/<li class="call"/g)?.length ?? 0, html] as const
  }
  for (const [query, count] of [
    ['', 3],
    ['q=so-1_%25', 1],
    ['q=POST+/v1/payments', 2],
    ['q=tx_none+404', 1],
    ['q=TX_NONE&only=failed', 1],
    ['q=SO-2&only=failed', 0],
    // It is text, and no pattern.
    ['q=%25&only=failed', 0],
    ['q=TX_NO_E&only=failed', 0],
  ] as const)
    expect([query, (await found(query))[0]]).toEqual([query, count])
  const [, none] = await found('q=nothing')
  expect(none).toContain('No requests match.')
  expect(none).toContain('value="nothing"')
  expect(none).toContain('/log?q=nothing&amp;only=failed"')
})

it('advances the clock, and never back', async () => {
  const { dashboard } = await delivered()
  const moved = await send(`${dashboard}/clock`, { count: '24', unit: 'hours' })
  expect(moved.location).toContain('flash=clock_advanced')
  expect((await screen(`${dashboard}/payments`)).html).toContain('Clock is 1 day ahead.')
  const back = await send(`${dashboard}/clock`, { count: '-1', unit: 'hours' })
  expect([back.status, back.html.includes('It cannot be turned back.</p>')]).toEqual([400, true])
  expect(back.html).toContain('>New payment</h2>')
  expect(back.html).toContain('value="-1" required aria-invalid="true"')
  expect(back.html).toContain('<option selected>hours</option>')
  const again = await fetch(`${dashboard}/clock`, { redirect: 'manual' })
  expect(again.headers.get('location')).toBe('/dashboard/tea-house/payments#clock')
  expect((await send(`${dashboard}/clock`, { count: '999999', unit: 'days' })).status).toBe(303)
  expect((await send(`${dashboard}/clock`, { count: '999999', unit: 'days' })).status).toBe(303)
  const tooFar = await send(`${dashboard}/clock`, { count: '999999', unit: 'days' })
  expect([tooFar.status, tooFar.html.includes('year 9998')]).toEqual([400, true])
})

it('resends the event of a completed payment, and shows to how many recipients', async () => {
  const { on, got, id, dashboard } = await delivered()
  const { location } = await send(`${dashboard}/payments/${id}/resend`)
  await on.idle()
  expect((await screen(on.url + location)).html).toContain('Resending payment.completed to 1 recipient.')
  expect(got).toHaveLength(2)
  on.act(id, { type: 'reverse', as: 'refund' })
  expect((await send(`${dashboard}/payments/${id}/resend`)).status).toBe(409)
})

it('creates, disables and deletes endpoints', async () => {
  const { on, got, secret, endpointId, dashboard } = await delivered()
  expect((await screen(`${dashboard}/endpoints`)).html).toContain(secret)
  await send(`${dashboard}/endpoints/${endpointId}/toggle`, { is_enabled: 'false' })
  on.act(await payment(on), { type: 'succeed' })
  await on.idle()
  expect(got).toHaveLength(1)
  await send(`${dashboard}/endpoints/${endpointId}/delete`)
  expect((await call(on, 'GET', `/webhooks/${endpointId}`)).status).toBe(404)
  expect((await screen(`${dashboard}/endpoints`)).html).not.toContain(secret)
  expect((await send(`${dashboard}/endpoints/${endpointId}/delete`)).status).toBe(404)
  await send(`${dashboard}/endpoints`, [
    ['url', 'HTTPS://shop.example/new'],
    ['mode', 'both'],
    ['events', 'payment.failed'],
    ['events', 'payment.refunded'],
    ['description', 'the till'],
  ])
  const { data } = (await call(on, 'GET', '/webhooks')).json as { data: object[] }
  const events = ['payment.failed', 'payment.refunded']
  expect(data).toMatchObject([{ url: 'https://shop.example/new', events, description: 'the till' }])
  const toLocal = { url: 'https://localhost:3000/', events: 'payment.failed' }
  const local = await send(`${dashboard}/endpoints`, toLocal)
  expect([local.status, local.html.includes('--route')]).toEqual([400, true])
  const none = await send(`${dashboard}/endpoints`, { url: 'https://shop.example/' })
  expect([none.status, none.html.includes('Choose at least one event')]).toEqual([400, true])
})

it('shows a new key once, and revokes it', async () => {
  const on = await sandbox()
  const dashboard = dashboardOf(on)
  const created = await send(`${dashboard}/keys`, [
    ['mode', 'live'],
    ['scopes', 'payments:read'],
  ])
  const key = /svc_live_\w{32}/.exec(created.html)?.[0] ?? ''
  expect(created.status).toBe(201)
  expect((await call(on, 'GET', '/payments', { key })).status).toBe(200)
  expect((await call(on, 'GET', '/webhooks', { key })).status).toBe(403)
  const { html } = await screen(`${dashboard}/keys`)
  expect(html).not.toContain(key)
  const id = /id="(key_\w+)"/.exec(html)?.[1] ?? ''
  await send(`${dashboard}/keys/${id}/revoke`)
  expect((await call(on, 'GET', '/payments', { key })).json).toMatchObject({ code: 'REVOKED_API_KEY' })
  expect((await send(`${dashboard}/keys/${id}/revoke`)).status).toBe(404)
  expect((await send(`${dashboard}/keys`, { mode: 'test' })).html).toContain('Choose at least one scope')
})

it('logs API requests, and lists failed ones separately', async () => {
  const on = await sandbox()
  await payment(on)
  await callFreely(on, 'GET', '/payments/tx_absent')
  const { html } = await screen(`${dashboardOf(on)}/log`)
  const failed = (await screen(`${dashboardOf(on)}/log?only=failed`)).html
  expect(html).toContain('POST /v1/payments')
  expect(failed).toContain('GET /v1/payments/tx_absent')
  expect(failed).not.toContain('POST /v1/payments')
})

it('shows the health of receivers', async () => {
  const { on, dashboard } = await delivered(() => 503)
  expect((await screen(dashboard)).html).toContain('Failing (503)')
  await endpoint(on, { url: 'https://silent.example/' })
  expect((await screen(dashboard)).html).toContain('Nothing sent yet')
})

/** The lines of the .env file on a screen. */
const envIn = (html: string): string[] =>
  (/aria-label="Contents of the \.env file"[^>]*>([^<]*)</.exec(html)?.[1] ?? '').split('\n')

const lineOf = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)

it('shows a working .env file for each organization', async () => {
  const on = await sandbox()
  for (const { name, testKey, webhookUrlSecret } of on.organizations) {
    const dashboard = `${on.url}/dashboard/${name.toLowerCase().replace(' ', '-')}`
    const env = envIn((await screen(dashboard)).html)
    expect(env).toEqual([
      `PAYMENT_BASE_URL=${on.apiUrl}`,
      `PAYMENT_API_KEY=${testKey}`,
      `WEBHOOK_SECRET=${webhookUrlSecret}`,
    ])
    const key = lineOf(env, 'PAYMENT_API_KEY') ?? ''
    expect((await call(on, 'GET', '/payments', { key })).status).toBe(200)
  }
})

it('leaves the key empty if no complete key is known, and never shows part of one', async () => {
  const on = await sandbox()
  const dashboard = dashboardOf(on)
  const created = await send(`${dashboard}/keys`, { mode: 'test', scopes: 'payments:read' })
  const value = /svc_test_\w{32}/.exec(created.html)?.[0] ?? ''
  const ids = [...(await screen(`${dashboard}/keys`)).html.matchAll(/id="(key_\w+)"/g)].map(([, id]) => id)
  // Newest first: the created key, then the default live key, then the default test key.
  await send(`${dashboard}/keys/${ids[2]}/revoke`)
  const { html } = await screen(dashboard)
  const env = envIn(html)
  expect(env).toContain('# Create a test key under API keys; it is shown once.')
  expect(lineOf(env, 'PAYMENT_API_KEY')).toBe('')
  expect(env.join('')).not.toContain('…')
  expect(html).toContain(`<code>${value.slice(0, 13)}…</code>`)
  expect(html).not.toContain(value)
  expect(html).not.toContain(on.testKey)
  expect(html).toContain(on.liveKey)
})

it('shows the settings that differ from their defaults', async () => {
  const settings = async (options: SandboxOptions) => {
    const { html } = await screen(dashboardOf(await sandbox(options)))
    const rows = [...html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)]
    return rows.map(([, name, text]) => `${name}: ${text}`)
  }
  expect(await settings({})).toEqual([])
  const chaos = { duplicate: 2, badSignature: true }
  const changed = { schedule: 'realistic', ack: 'strict', botProtection: true, chaos } as const
  expect(await settings(changed)).toEqual([
    'Chaos: duplicate=2, badSignature (every delivery)',
    'Acknowledgment: only status 200',
    'Retries: after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h',
    'Bot protection: on: a missing or automated-looking User-Agent gets 403 and error 1010',
  ])
})

const ids = (html: string): string[] => [
  ...new Set([...html.matchAll(/id="((?:tx|evt)_\w+)"/g)].map(([, id]) => id ?? '')),
]

const linkTo = (html: string, text: string): string | undefined =>
  new RegExp(`href="([^"]+)">${text}<`).exec(html)?.[1]?.replaceAll('&amp;', '&')

it('finds payments and their events by id, metadata, amount, failure code and date', async () => {
  const on = await sandbox()
  const dashboard = dashboardOf(on)
  const tea = await payment(on, {
    amount: '12.50',
    metadata: { order: 'SO-1 "Ünï_%"' },
    webhook_url: 'https://shop.example/',
  })
  const cup = await payment(on, { amount: '125.00', metadata: { size: 'L', note: 'a=b' } })
  const { event } = on.act(cup, { type: 'fail', code: 'card_declined' })
  const paid = on.act(tea, { type: 'succeed' }).event
  const found = async (path: string, query: Record<string, string>) =>
    ids((await screen(`${dashboard}/${path}?${new URLSearchParams(query).toString()}`)).html)
  const [delivery = ''] = /dlv_\w+/.exec((await screen(`${dashboard}/events/${paid.id}`)).html) ?? []
  const today = new Date().toISOString().slice(0, 10)
  for (const [query, expected] of [
    [tea, [tea]],
    ['so-1', [tea]],
    ['"Ünï_%"', [tea]],
    ['%', [tea]],
    ['order=SO-1 "Ünï_%"', [tea]],
    ['ORDER = so-1 "Ünï_%"', [tea]],
    ['order=SO-1', []],
    ['size=l', [cup]],
    ['a=b', [cup]],
    ['=l', []],
    [event.id, [cup]],
    [delivery, [tea]],
    ['12.50', [tea]],
    ['125.00 USD', [cup]],
    ['card_decl', [cup]],
    ['nothing', []],
  ] as const) {
    expect([query, await found('payments', { q: query })]).toEqual([query, expected])
  }
  expect(await found('events', { q: 'SO-1' })).toEqual([paid.id])
  expect(await found('events', { q: event.id })).toEqual([event.id])
  expect(await found('events', { q: delivery })).toEqual([paid.id])
  expect(await found('events', { q: delivery, name: 'payment.failed' })).toEqual([])
  expect(await found('events', { q: 'size=L' })).toEqual([event.id])
  expect(await found('payments', { from: today, to: today })).toEqual([cup, tea])
  expect(await found('payments', { from: '2000-01-01', to: '2000-01-02' })).toEqual([])
  expect(await found('events', { to: '2000-01-02' })).toEqual([])
  const { html } = await screen(`${dashboard}/payments?q=nothing`)
  expect(html).toContain('No payments match. <a href="/dashboard/tea-house/payments">Clear the filter</a>')
  expect(html).toContain('0 test payments match the filter')
})

it('sorts payments, and pages in both directions', async () => {
  const on = await sandbox()
  const made: string[] = []
  for (let index = 0; index < 27; index += 1)
    made.push(await payment(on, { amount: `${(index * 7) % 27}.50` }))
  const load = async (path: string) => (await screen(on.url + path)).html
  for (const [sort, older, newer] of [
    ['newest', 'Older payments', 'Newer payments'],
    ['lowest', 'Next payments', 'Previous payments'],
  ] as const) {
    const first = await load(`/dashboard/tea-house/payments?sort=${sort}`)
    expect(first).toContain('27 test payments')
    expect(linkTo(first, newer)).toBeUndefined()
    const second = await load(linkTo(first, older) ?? '')
    expect(ids(first)).toHaveLength(25)
    expect(ids(second)).toHaveLength(2)
    expect(linkTo(second, older)).toBeUndefined()
    expect(ids(await load(linkTo(second, newer) ?? ''))).toEqual(ids(first))
    const expected =
      sort === 'newest'
        ? made.toReversed()
        : made.toSorted((a, b) => ((made.indexOf(a) * 7) % 27) - ((made.indexOf(b) * 7) % 27))
    expect([...ids(first), ...ids(second)]).toEqual(expected)
  }
})
