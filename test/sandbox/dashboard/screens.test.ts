import { expect, it } from 'vitest'
import { call, callFreely, endpoint, payment, sandbox } from '../support.ts'
import { delivered, deskOf, screen, send } from './support.ts'

it('leafs through more than a page', async () => {
  const on = await sandbox()
  for (let made = 0; made < 26; made += 1) await payment(on)
  const { html } = await screen(`${deskOf(on)}/payments`)
  const older = /href="([^"]+)">Older payments/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const ids = (page: string) => new Set(page.match(/id="(tx_\w+)"/g))

  expect(ids(html).size).toBe(25)
  expect(ids((await screen(on.url + older)).html).size).toBe(1)
})

it('creates payments as the API does, and refuses what it refuses', async () => {
  const on = await sandbox()
  const desk = deskOf(on)
  const made = await send(`${desk}/payments`, {
    amount: '12.50',
    currency: 'EUR',
    mode: 'live',
    webhook_url: 'HTTPS://shop.example/hooks',
    return_url: 'https://shop.example/thanks',
    metadata: 'order=SO-1\r\nnote=a=b',
  })
  const id = /tx_\w+/.exec(made.location)?.[0] ?? ''
  const { json } = await call(on, 'GET', `/payments/${id}`, { key: on.liveKey })
  expect(json).toMatchObject({
    amount: '12.50',
    currency: 'EUR',
    livemode: true,
    webhook_url: 'https://shop.example/hooks',
    return_url: 'https://shop.example/thanks',
    metadata: { order: 'SO-1', note: 'a=b' },
  })

  const right = { amount: '1.00', currency: 'USD' }
  for (const [wrong, message] of [
    [{ amount: '-1' }, '/amount'],
    [{ amount: '0.00' }, 'more than zero'],
    [{ webhook_url: 'https://localhost/hooks' }, '--route'],
    [{ webhook_url: 'http://localhost:3000/hooks' }, '--route'],
    [{ return_url: 'javascript:alert(1)' }, 'return_url must begin'],
    [{ metadata: 'nonsense' }, 'name=value'],
  ] as const) {
    const { status, html } = await send(`${desk}/payments`, { ...right, ...wrong })
    expect([status, html.includes(message)], message).toEqual([400, true])
  }
})

it('tells the story of a payment', async () => {
  const { on, desk } = await delivered()
  const id = await payment(on, { amount: '1.50' })
  on.act(id, { type: 'pay_part', method: 'gift_card', amount: '1.00' })
  await on.idle()
  const { html } = await screen(`${desk}/payments/${id}`)
  expect(html).toContain('the 24 hours of the gift card end')

  const [, form = ''] = /<li class="ahead">[^]*?<form([^]*?)<\/form>/.exec(html) ?? []
  expect(form).toContain('>24 hours on</button>')
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const action = /action="([^"]*)"/.exec(form)?.[1] ?? ''
  const { location } = await send(on.url + action, Object.fromEntries(fields))
  expect(location).toBe(`/dashboard/tea-house/payments/${id}?said=clock_moved`)
  await on.idle()
  const later = (await screen(`${desk}/payments/${id}`)).html
  expect(later).toContain('payment.expired')
  expect(later).toContain('Its clock is 1 d ahead.')
  expect((await send(`${desk}/clock`, { count: '-1', unit: 'hours' })).status).toBe(400)
  expect((await send(`${desk}/clock`, { count: '999999', unit: 'days' })).status).toBe(303)
  expect((await send(`${desk}/clock`, { count: '999999', unit: 'days' })).status).toBe(303)
  const tooFar = await send(`${desk}/clock`, { count: '999999', unit: 'days' })
  expect([tooFar.status, tooFar.html.includes('year 9998')]).toEqual([400, true])
})

it('resends a completed payment, and says to how many', async () => {
  const { on, got, id, desk } = await delivered()
  const { location } = await send(`${desk}/payments/${id}/resend`)
  await on.idle()

  expect((await screen(on.url + location)).html).toContain('sent again to 1 recipient.')
  expect(got).toHaveLength(2)
  on.act(id, { type: 'reverse', as: 'refund' })
  expect((await send(`${desk}/payments/${id}/resend`)).status).toBe(409)
})

it('registers, switches off and deletes endpoints', async () => {
  const { on, got, secret, endpointId, desk } = await delivered()
  expect((await screen(`${desk}/endpoints`)).html).toContain(secret)

  await send(`${desk}/endpoints/${endpointId}/switch`, { is_enabled: 'false' })
  on.act(await payment(on), { type: 'succeed' })
  await on.idle()
  expect(got).toHaveLength(1)

  await send(`${desk}/endpoints/${endpointId}/delete`)
  expect((await call(on, 'GET', `/webhooks/${endpointId}`)).status).toBe(404)
  expect((await screen(`${desk}/endpoints`)).html).not.toContain(secret)
  expect((await send(`${desk}/endpoints/${endpointId}/delete`)).status).toBe(404)

  await send(`${desk}/endpoints`, [
    ['url', 'https://shop.example/new'],
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

  const local = await send(`${desk}/endpoints`, { url: 'https://localhost:3000/', events: 'payment.failed' })
  expect([local.status, local.html.includes('--route')]).toEqual([400, true])
  const none = await send(`${desk}/endpoints`, { url: 'https://shop.example/' })
  expect([none.status, none.html.includes('Choose at least one event')]).toEqual([400, true])
})

it('shows a new key once, and revokes it', async () => {
  const on = await sandbox()
  const desk = deskOf(on)
  const made = await send(`${desk}/keys`, [
    ['mode', 'live'],
    ['scopes', 'payments:read'],
  ])
  const key = /svc_live_\w{32}/.exec(made.html)?.[0] ?? ''
  expect(made.status).toBe(201)
  expect((await call(on, 'GET', '/payments', { key })).status).toBe(200)
  expect((await call(on, 'GET', '/webhooks', { key })).status).toBe(403)

  const { html } = await screen(`${desk}/keys`)
  expect(html).not.toContain(key)
  const id = /id="(key_\w+)"/.exec(html)?.[1] ?? ''
  await send(`${desk}/keys/${id}/revoke`)
  expect((await call(on, 'GET', '/payments', { key })).json).toMatchObject({ code: 'REVOKED_API_KEY' })
  expect((await send(`${desk}/keys/${id}/revoke`)).status).toBe(404)
  expect((await send(`${desk}/keys`, { mode: 'test' })).html).toContain('Choose at least one scope')
})

it('makes one key of a form, however often its page is loaded anew', async () => {
  const on = await sandbox()
  const desk = deskOf(on)
  const keys = async () => new Set((await screen(`${desk}/keys`)).html.match(/id="key_\w+"/g)).size
  const before = await keys()
  const [, once = ''] = /name="once" value="([^"]+)"/.exec((await screen(`${desk}/keys`)).html) ?? []
  const form = { mode: 'test', scopes: 'payments:read', once }

  expect((await send(`${desk}/keys`, { ...form, scopes: '' })).status).toBe(400)
  expect((await send(`${desk}/keys`, form)).status).toBe(201)
  const again = await send(`${desk}/keys`, form)
  expect([again.status, again.location]).toEqual([303, '/dashboard/tea-house/keys?said=key_made_before'])
  expect((await screen(on.url + again.location)).html).toContain('No second one was made.')
  expect(await keys()).toBe(before + 1)
  const [, fresh = ''] = /name="once" value="([^"]+)"/.exec((await screen(`${desk}/keys`)).html) ?? []
  expect((await send(`${desk}/keys`, { ...form, once: fresh })).status).toBe(201)
})

it('logs calls to the API, refused ones apart', async () => {
  const on = await sandbox()
  await payment(on)
  await callFreely(on, 'GET', '/payments/tx_absent')
  const { html } = await screen(`${deskOf(on)}/log`)
  const refused = (await screen(`${deskOf(on)}/log?only=refused`)).html

  expect(html).toContain('POST /v1/payments')
  expect(refused).toContain('GET /v1/payments/tx_absent')
  expect(refused).not.toContain('POST /v1/payments')
})

it('tells of receivers how they do', async () => {
  const { on, desk } = await delivered(() => 503)
  expect((await screen(desk)).html).toContain('answers 503')
  await endpoint(on, { url: 'https://silent.example/' })
  expect((await screen(desk)).html).toContain('nothing sent yet')
})
