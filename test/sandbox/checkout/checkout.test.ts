import { expect, test } from 'vitest'
import { call, payment, receiver, sandbox } from '../support.ts'
import { buttons, checkout, load, lookUp, press } from './support.ts'

test('the address of a test payment opens a test checkout, with no key and nothing of a card', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  expect(url).toBe(`${on.url}/test/checkout/${id}`)
  const { status, html, headers } = await load(url)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(headers.get('cache-control')).toBe('no-store')
  for (const text of ['Pay Tea House', '25.00', 'USD', id, 'Simulate Success', 'Simulate Failure']) {
    expect(html).toContain(text)
  }
  expect(html.match(/name="method" value="\w+" aria-pressed/g)).toHaveLength(13)
  const asked = [...html.matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(([, name]) => name)
  expect(new Set(asked)).toEqual(new Set(['press', 'method', 'failure_code', 'rail', 'amount', 'currency']))
})

test('a live payment opens the live path, which says that no money moves, and simulates nothing', async () => {
  const shop = await receiver()
  const on = await sandbox({ routes: [shop.route] })
  const { id, url } = await checkout(on, { webhook_url: 'https://shop.example/' }, on.liveKey)
  expect(url).toBe(`${on.url}/checkout/${id}`)
  const { html } = await load(url)
  expect(html).toContain('No money moves here.')
  expect(html).not.toContain('Simulate')
  expect((await press(url, { press: 'succeed', method: 'card' })).status).toBe(303)
  await on.idle()
  const body = JSON.parse(String(shop.got[0]?.body))
  expect(body).toMatchObject({ id, status: 'completed', livemode: true })
  expect(body).not.toHaveProperty('test')
})

test('an id that is not there, of the other mode, or of a child is a plain page of 404', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  await press(url, { press: 'switch', method: 'pix' })
  const child = /<li><code>(tx_\w+)<\/code> <span>Pix/.exec((await load(url)).html)?.[1] ?? ''
  expect(child).toMatch(/^tx_/)
  for (const path of [`/test/checkout/tx_none`, `/checkout/${id}`, `/test/checkout/${child}`]) {
    const { status, html, headers } = await load(on.url + path)
    expect([path, status]).toEqual([path, 404])
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toContain('There is no payment at this address.')
    expect((await press(on.url + path, { press: 'succeed' })).status).toBe(404)
  }
})

test('Simulate Success sends a signed payment.completed to webhook_url (6 rule 2)', async () => {
  const shop = await receiver()
  const on = await sandbox({ routes: [shop.route] })
  const given = { webhook_url: 'https://shop.example/hook', metadata: { order: 'SO-1' } }
  const { id, url } = await checkout(on, given)
  expect((await load(url)).html).toContain('<code>https://shop.example/hook</code>')
  expect(await press(url, { press: 'succeed', method: 'card' })).toMatchObject({
    status: 303,
    location: `/test/checkout/${id}`,
  })
  await on.idle()
  const facts = { id, status: 'completed', amount: '25.00', currency: 'USD', test: true, livemode: false }
  expect(shop.got).toHaveLength(1)
  expect(shop.got[0]?.headers['x-service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
  const event = { event: 'payment.completed', ...facts, metadata: { order: 'SO-1' } }
  expect(JSON.parse(String(shop.got[0]?.body))).toMatchObject(event)
})

test('Simulate Failure says Simulated failure, whatever code the drawer chose (2.2 rule 3)', async () => {
  const on = await sandbox()
  for (const [form, code] of [
    [{ press: 'fail', method: 'card' }, 'provider_error'],
    [{ press: 'fail_with', failure_code: 'insufficient_funds', method: 'card' }, 'insufficient_funds'],
  ] as const) {
    const { id, url } = await checkout(on)
    expect((await press(url, form)).status).toBe(303)
    const failed = { status: 'failed', failure_code: code, failure_reason: 'Simulated failure' }
    expect(await lookUp(on, id)).toMatchObject(failed)
    expect((await load(url)).html).toContain(`<code>${code}</code>`)
  }
})

test('a finished payment shows its state and the way back, and no buttons but those that reverse it', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  await press(url, { press: 'succeed', method: 'card' })
  const completed = (await load(url)).html
  expect(completed).toContain('Payment completed')
  expect(completed).toContain('href="https://shop.example/thanks">Return to Tea House')
  expect(completed).not.toContain('Simulate')
  expect(buttons(completed)).toEqual(['refund', 'chargeback'])

  await press(url, { press: 'chargeback' })
  expect(await lookUp(on, id)).toMatchObject({ status: 'refunded', refund_type: 'chargeback' })
  const refunded = (await load(url)).html
  expect(refunded).toContain('Payment refunded')
  expect(buttons(refunded)).toEqual([])
  expect(refunded).not.toContain('<form')

  const bare = await payment(on)
  on.act(bare, { type: 'fail' })
  const failed = (await load(`${on.url}/test/checkout/${bare}`)).html
  expect(failed).toContain('Payment failed')
  expect(failed).not.toContain('Return to')
  expect(buttons(failed)).toEqual([])
})

test('a switch of method makes a child, and the root id stays in page and event (2.2 rule 1)', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  const switched = await press(url, { press: 'switch', method: 'pix' })
  expect(switched).toMatchObject({ status: 303, location: `/test/checkout/${id}#method` })
  await press(url, { press: 'switch', method: 'cashapp' })
  const { html } = await load(url)
  expect(html).toContain('value="cashapp" aria-pressed="true"')
  expect([...html.matchAll(/<li><code>tx_\w+<\/code> <span>([^<]*)/g)].map(([, text]) => text)).toEqual([
    'Pix, failed',
    'Cash App, pending',
  ])
  // What was pressed counts, also when another window of the browser has switched since.
  await press(url, { press: 'succeed', method: 'pix' })
  expect(await lookUp(on, id)).toMatchObject({ id, payment_method: 'pix', status: 'completed' })
  expect((await call(on, 'GET', '/payments')).json['data']).toHaveLength(1)
})

test('crypto is paid in part and accepted short', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  await press(url, { press: 'switch', method: 'crypto' })
  await press(url, { press: 'pay_part', method: 'crypto', amount: '10.50' })
  const { html } = await load(url)
  expect(html).toContain('10.50 USD')
  expect(html).toContain('Part-paid by <strong>Crypto</strong>')
  expect(buttons(html)).toEqual(['succeed', 'pay_part', 'accept_short'])
  await press(url, { press: 'accept_short', amount: '20.00' })
  expect(await lookUp(on, id)).toMatchObject({ status: 'completed', amount_received: '20.00' })
  expect((await load(url)).html).toContain('Short payment, ordered')
})

test('a mixed checkout says how it was settled', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  await press(url, { press: 'settle', method: 'pix', rail: 'PIX', amount: '135.20', currency: 'BRL' })
  const via = { rail: 'PIX', amount: '135.20', currency: 'BRL' }
  expect(await lookUp(on, id)).toMatchObject({ status: 'completed', payment_method: 'pix', settled_via: via })
  expect((await load(url)).html).toContain('PIX, 135.20 BRL')
})

test.each([
  ['1.50', 'expired', 'expires, being less than 2'],
  ['2.00', 'completed', 'completes short, being 2 or more'],
])(
  'the window of a gift-card order of %s ends at the press of a button: %s',
  async (amount, status, text) => {
    const on = await sandbox()
    const { id, url } = await checkout(on, { amount })
    await press(url, { press: 'switch', method: 'gift_card' })
    await press(url, { press: 'pay_part', method: 'gift_card', amount: '1.00' })
    expect((await load(url)).html).toContain(text)
    expect((await press(url, { press: 'end_window' })).status).toBe(303)
    expect(await lookUp(on, id)).toMatchObject({ status, amount_received: '1.00' })
  },
)

test('the end of the wait is a button beside it, and not in the drawer', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  on.act(id, { type: 'pay_part', method: 'gift_card', amount: '10.00' })
  const { html } = await load(url)
  expect(buttons(html)).toEqual(['end_window', 'succeed', 'pay_part'])
  expect(html.indexOf('value="end_window"')).toBeLessThan(html.indexOf('<details class="drawer"'))
  expect(html).toContain('End the 24 hours now')
})

test('what Alipay paid is reversed by a chargeback, and offers no refund', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  on.act(id, { type: 'succeed', method: 'alipay' })
  const { html } = await load(url)
  expect(buttons(html)).toEqual(['chargeback'])
  expect(html).toContain('paid by Alipay is never reversed by a refund')
  expect((await press(url, { press: 'chargeback' })).status).toBe(303)
  expect(await lookUp(on, id)).toMatchObject({ refund_type: 'chargeback' })
})

test('the events of a payment lead to the dashboard of its merchant', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  on.act(id, { type: 'succeed' })
  const [, link = ''] = /<ol class="events">\s*<li><a href="([^"]+)"/.exec((await load(url)).html) ?? []
  expect(await load(on.url + link)).toMatchObject({ status: 200 })
})
