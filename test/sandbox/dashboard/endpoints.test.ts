import { expect, it } from 'vitest'
import { sampleOf, VARIANTS } from '../../../sandbox/dashboard/catalog/variants.ts'
import { EVENT_NAMES } from '../../../sandbox/model.ts'
import { validate } from '../../../schemas/validate.ts'
import { call, payment } from '../support.ts'
import { delivered, expectSigned, screen, send } from './support.ts'

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

it('compares deliveries, and the signed bytes with those that a receiver read', async () => {
  const { on, event, dashboard } = await delivered()
  const path = `${dashboard}/events/${event.id}/compare`
  const alone = (await screen(path)).html
  expect(alone).toContain('This event has one delivery. Resend it to compare two.')
  expect(alone).not.toContain('<select name="a">')
  const [delivery] = /dlv_\w+/.exec((await screen(`${dashboard}/events/${event.id}`)).html) ?? []
  await send(`${dashboard}/deliveries/${delivery}/resend`)
  await on.idle()
  expect((await screen(path)).html).toContain('The bytes are identical.')
  const body = Buffer.from(event.body).toString()
  expect((await send(path, { echoed: body })).html).toContain('Identical: your receiver hashed')
  const parsed = (await send(path, { echoed: JSON.stringify(JSON.parse(body), null, 1) })).html
  expect(parsed).toContain('They differ from byte 1:')
  expect(parsed).toContain('Hash the raw body.')
  expect((await send(path, { echoed: body.replace('25.00', '26.00') })).html).toContain('class="added"')
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
