import { expect, it } from 'vitest'
import { call, callFreely, endpoint, payment, sandbox } from '../support.ts'
import { dashboardOf, delivered, screen, send } from './support.ts'

it('pages through the payments', async () => {
  const on = await sandbox()
  for (let made = 0; made < 26; made += 1) await payment(on)
  const { html } = await screen(`${dashboardOf(on)}/payments`)
  const older = /href="([^"]+)">Older payments/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const ids = (page: string) => new Set(page.match(/id="(tx_\w+)"/g))
  expect(ids(html).size).toBe(25)
  expect(ids((await screen(on.url + older)).html).size).toBe(1)
})

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

it('shows the timeline of a payment, and advances the clock to the end of its window', async () => {
  const { on, dashboard } = await delivered()
  const id = await payment(on, { amount: '1.50' })
  on.act(id, { type: 'pay_part', method: 'gift_card', amount: '1.00' })
  await on.idle()
  const { html } = await screen(`${dashboard}/payments/${id}`)
  expect(html).toContain('24-hour gift card window ends')
  const [, form = ''] = /<li class="upcoming">[^]*?<form([^]*?)<\/form>/.exec(html) ?? []
  expect(form).toContain('>+24 hours</button>')
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const action = /action="([^"]*)"/.exec(form)?.[1] ?? ''
  const { location } = await send(on.url + action, Object.fromEntries(fields))
  expect(location).toBe(`/dashboard/tea-house/payments/${id}?flash=clock_advanced`)
  await on.idle()
  const later = (await screen(`${dashboard}/payments/${id}`)).html
  expect(later).toContain('payment.expired')
  expect(later).toContain('Clock is 1 day ahead.')
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
  expect(data).toMatchObject([
    {
      url: 'https://shop.example/new',
      events: ['payment.failed', 'payment.refunded'],
      description: 'the till',
    },
  ])
  const local = await send(`${dashboard}/endpoints`, {
    url: 'https://localhost:3000/',
    events: 'payment.failed',
  })
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

it('creates one key per form, even if the result page is reloaded', async () => {
  const on = await sandbox()
  const dashboard = dashboardOf(on)
  const keys = async () => new Set((await screen(`${dashboard}/keys`)).html.match(/id="key_\w+"/g)).size
  const before = await keys()
  const [, token = ''] =
    /name="form_token" value="([^"]+)"/.exec((await screen(`${dashboard}/keys`)).html) ?? []
  const form = { mode: 'test', scopes: 'payments:read', form_token: token }
  expect((await send(`${dashboard}/keys`, { ...form, scopes: '' })).status).toBe(400)
  expect((await send(`${dashboard}/keys`, form)).status).toBe(201)
  const repeated = await send(`${dashboard}/keys`, form)
  expect([repeated.status, repeated.location]).toEqual([
    303,
    '/dashboard/tea-house/keys?flash=key_already_created',
  ])
  expect((await screen(on.url + repeated.location)).html).toContain('No second key was created.')
  expect(await keys()).toBe(before + 1)
  const [, newToken = ''] =
    /name="form_token" value="([^"]+)"/.exec((await screen(`${dashboard}/keys`)).html) ?? []
  expect((await send(`${dashboard}/keys`, { ...form, form_token: newToken })).status).toBe(201)
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
