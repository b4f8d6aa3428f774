import { expect, test } from 'vitest'
import { viewOf } from '../../../sandbox/checkout/view.ts'
import { screen, send } from '../dashboard/support.ts'
import { call, composed, payment, rawStatus, sandbox } from '../support.ts'
import { alerts, buttons, checkout, lookUp, sharedShop } from './support.ts'

const shared = sharedShop()

test('opens the checkout of a test payment without a key, and asks for no card details', async () => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  expect(url).toBe(`${on.url}/test/checkout/${id}`)
  const { status, html, headers } = await screen(url)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(headers.get('cache-control')).toBe('no-store')
  for (const text of ['Pay Tea House', '25.00', 'USD', id, 'Simulate Success', 'Simulate Failure']) {
    expect(html).toContain(text)
  }
  expect(html.match(/name="method" value="\w+" aria-pressed/g)).toHaveLength(13)
  const asked = [...html.matchAll(/<(?:input|select)[^>]* name="(\w+)"/g)].map(([, name]) => name)
  expect(new Set(asked)).toEqual(new Set(['action', 'method', 'failure_code', 'rail', 'amount', 'currency']))
})

test('opens a live payment at the live path, shows that no money moves, and simulates nothing', async () => {
  const { on, receivedOf } = shared()
  const { id, url } = await checkout(on, { webhook_url: 'https://shop.example/' }, on.liveKey)
  expect(url).toBe(`${on.url}/checkout/${id}`)
  const { html } = await screen(url)
  expect(html).toContain('No money moves here.')
  expect(html).not.toContain('Simulate')
  expect((await send(url, { action: 'succeed', method: 'card' })).status).toBe(303)
  await on.idle()
  const body = JSON.parse(String(receivedOf(id)[0]?.body))
  expect(body).toMatchObject({ id, status: 'completed', livemode: true })
  expect(body).not.toHaveProperty('test')
})

test('answers 404 with a page for an unknown id, an id of the other mode, and an internal transaction', async () => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  await send(url, { action: 'switch', method: 'pix' })
  const child = /<li><code>(tx_\w+)<\/code> <span>Pix/.exec((await screen(url)).html)?.[1] ?? ''
  expect(child).toMatch(/^tx_/)
  for (const path of [`/test/checkout/tx_none`, `/checkout/${id}`, `/test/checkout/${child}`]) {
    const { status, html, headers } = await screen(on.url + path)
    expect([path, status]).toEqual([path, 404])
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toContain('There is no payment at this address.')
    expect((await send(on.url + path, { action: 'succeed' })).status).toBe(404)
  }
})

test('sends a signed payment.completed to webhook_url after Simulate Success (6 rule 2)', async () => {
  const { on, receivedOf } = shared()
  const given = { webhook_url: 'https://shop.example/hook', metadata: { order: 'SO-1' } }
  const { id, url } = await checkout(on, given)
  expect((await screen(url)).html).toContain('<code>https://shop.example/hook</code>')
  expect(await send(url, { action: 'succeed', method: 'card' })).toMatchObject({
    status: 303,
    location: `/test/checkout/${id}`,
  })
  await on.idle()
  const facts = { id, status: 'completed', amount: '25.00', currency: 'USD', test: true, livemode: false }
  expect(receivedOf(id)).toHaveLength(1)
  expect(receivedOf(id)[0]?.headers['x-service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
  const event = { event: 'payment.completed', ...facts, metadata: { order: 'SO-1' } }
  expect(JSON.parse(String(receivedOf(id)[0]?.body))).toMatchObject(event)
})

test('reports "Simulated failure" whatever code the drawer chose (2.2 rule 3)', async () => {
  const { on } = shared()
  for (const [form, code] of [
    [{ action: 'fail', method: 'card' }, 'provider_error'],
    [{ action: 'fail_with', failure_code: 'insufficient_funds', method: 'card' }, 'insufficient_funds'],
  ] as const) {
    const { id, url } = await checkout(on)
    expect((await send(url, form)).status).toBe(303)
    const failed = { status: 'failed', failure_code: code, failure_reason: 'Simulated failure' }
    expect(await lookUp(on, id)).toMatchObject(failed)
    expect((await screen(url)).html).toContain(`<code>${code}</code>`)
  }
})

test('shows a finished payment with its outcome, the return link, and only the buttons that reverse it', async () => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  await send(url, { action: 'succeed', method: 'card' })
  const completed = (await screen(url)).html
  expect(completed).toContain('Payment completed')
  expect(completed).toContain('href="https://shop.example/thanks">Return to Tea House')
  expect(completed).not.toContain('Simulate')
  expect(buttons(completed)).toEqual(['refund', 'chargeback'])

  await send(url, { action: 'chargeback' })
  expect(await lookUp(on, id)).toMatchObject({ status: 'refunded', refund_type: 'chargeback' })
  const refunded = (await screen(url)).html
  expect(refunded).toContain('Payment charged back')
  expect(buttons(refunded)).toEqual([])
  expect(refunded).not.toContain('<form')

  const other = await checkout(on)
  on.act(other.id, { type: 'succeed' })
  await send(other.url, { action: 'refund' })
  expect((await screen(other.url)).html).toContain('25.00 USD was paid, then refunded by the shop.')

  const bare = await payment(on)
  on.act(bare, { type: 'fail' })
  const failed = (await screen(`${on.url}/test/checkout/${bare}`)).html
  expect(failed).toContain('Payment failed')
  expect(failed).not.toContain('Return to')
  expect(buttons(failed)).toEqual([])
})

test('creates an internal transaction when the method is switched, and keeps the root id (2.2 rule 1)', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  const switched = await send(url, { action: 'switch', method: 'pix' })
  expect(switched).toMatchObject({ status: 303, location: `/test/checkout/${id}#method` })
  await send(url, { action: 'switch', method: 'cashapp' })
  const { html } = await screen(url)
  expect(html).toContain('value="cashapp" aria-pressed="true"')
  expect([...html.matchAll(/<li><code>tx_\w+<\/code> <span>([^<]*)/g)].map(([, text]) => text)).toEqual([
    'Pix, failed',
    'Cash App, pending',
  ])
  // The submitted method counts, even if another browser window has switched since.
  await send(url, { action: 'succeed', method: 'pix' })
  expect(await lookUp(on, id)).toMatchObject({ id, payment_method: 'pix', status: 'completed' })
  expect((await call(on, 'GET', '/payments')).json['data']).toHaveLength(1)
})

test('accepts partial and short payments by crypto', async () => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  await send(url, { action: 'switch', method: 'crypto' })
  await send(url, { action: 'pay_part', method: 'crypto', amount: '10.50' })
  const { html } = await screen(url)
  expect(html).toContain('10.50 USD')
  expect(html).toContain('Partly paid by <strong>crypto</strong>. Remaining: <strong>14.50 USD</strong>')
  expect(buttons(html)).toEqual(['succeed', 'pay_part', 'accept_short'])
  await send(url, { action: 'accept_short', amount: '20.00' })
  expect(await lookUp(on, id)).toMatchObject({ status: 'completed', amount_received: '20.00' })
  expect((await screen(url)).html).toContain('<dt>Amount requested</dt><dd>25.00 USD')
})

test('shows how a mixed checkout was settled', async () => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  await send(url, { action: 'settle', method: 'pix', rail: 'PIX', amount: '135.20', currency: 'BRL' })
  const via = { rail: 'PIX', amount: '135.20', currency: 'BRL' }
  expect(await lookUp(on, id)).toMatchObject({ status: 'completed', payment_method: 'pix', settled_via: via })
  expect((await screen(url)).html).toContain('PIX, 135.20 BRL')
})

test.each([
  ['1.50', 'expired', 'less than 2.00, it then expires'],
  ['2.00', 'completed', '2.00 or more, it then completes with the amount received'],
])('ends the window of a gift card order of %s on request: %s', async (amount, status, text) => {
  const { on } = shared()
  const { id, url } = await checkout(on, { amount })
  await send(url, { action: 'switch', method: 'gift_card' })
  await send(url, { action: 'pay_part', method: 'gift_card', amount: '1.00' })
  expect((await screen(url)).html).toContain(text)
  expect((await send(url, { action: 'end_window' })).status).toBe(303)
  expect(await lookUp(on, id)).toMatchObject({ status, amount_received: '1.00' })
  expect((await screen(url)).html).not.toContain('Clock is')
})

test('offers to end the window outside the drawer', async () => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  on.act(id, { type: 'pay_part', method: 'gift_card', amount: '10.00' })
  const { html } = await screen(url)
  expect(buttons(html)).toEqual(['succeed', 'end_window', 'pay_part'])
  expect(html.indexOf('value="end_window"')).toBeLessThan(html.indexOf('<details class="drawer"'))
  expect(html).toContain('End the 24-hour window now')
})

test('offers only a chargeback for a payment by Alipay', async () => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  on.act(id, { type: 'succeed', method: 'alipay' })
  const { html } = await screen(url)
  expect(buttons(html)).toEqual(['chargeback'])
  expect(html).toContain('Alipay payments are never refunded')
  expect((await send(url, { action: 'chargeback' })).status).toBe(303)
  expect(await lookUp(on, id)).toMatchObject({ refund_type: 'chargeback' })
})

test('links the events of a payment to the dashboard of its merchant', async () => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  on.act(id, { type: 'succeed' })
  const { html } = await screen(url)
  const [, link = ''] =
    /<ol class="events"[^>]*>\s*<li>\s*<a href="([^"]+\/events\/evt_\w+)"/.exec(html) ?? []
  expect(await screen(on.url + link)).toMatchObject({ status: 200 })
})

test.each([
  [
    { action: 'pay_part', method: 'crypto', amount: '12,50' },
    'Amount: expected decimal text such as &quot;25.00&quot;.',
  ],
  [{ action: 'pay_part', method: 'crypto', amount: '0' }, 'The partial amount must be greater than 0.'],
  [{ action: 'accept_short', amount: '25' }, 'An underpayment must be greater than 0 and less than 25.00.'],
  [{ action: 'accept_short' }, 'Nothing has been received yet: specify the received amount.'],
  [{ action: 'settle', rail: '', amount: '1', currency: 'BRL' }, 'Rail: expected text that is not empty.'],
  [
    { action: 'settle', rail: 'PIX', amount: '1', currency: '?' },
    'Currency: expected a currency code such as &quot;USD&quot;.',
  ],
  [{ action: 'switch', method: 'crypto' }, /^Payment tx_\w+ already uses crypto\.$/],
  [{ action: 'switch', method: 'cash' }, /^Method: expected one of /],
  [{ action: 'switch' }, /^Method: expected one of /],
  [{ action: 'fail_with', failure_code: 'bad_luck' }, /^Failure code: expected one of /],
  [{ action: 'constructor' }, 'Unknown button: reload the page.'],
  [{}, 'Unknown button: reload the page.'],
])('rejects %j with one message on the page, and changes nothing', async (form, line) => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  await send(url, { action: 'switch', method: 'crypto' })
  const before = await lookUp(on, id)
  const { status, html } = await send(url, form)
  expect(status).toBe(400)
  const [first = '', ...more] = alerts(html)
  expect(more).toEqual([])
  if (typeof line === 'string') expect(first).toBe(line)
  else expect(first).toMatch(line)
  expect(html).toContain('<title>Error: ')
  expect(await lookUp(on, id)).toEqual(before)
})

test('shows the error at its field in the open drawer, and keeps the input', async () => {
  const { on } = shared()
  const { url } = await checkout(on)
  await send(url, { action: 'switch', method: 'crypto' })
  const { html } = await send(url, { action: 'pay_part', method: 'crypto', amount: '"><b>12,50' })
  expect(html).toContain('id="more" open')
  expect(html).toContain('value="&quot;&gt;&lt;b&gt;12,50"')
  expect(html).toMatch(/id="pay_part-amount"[^>]* aria-invalid="true" aria-describedby="pay_part-error"/)
  expect(html).toContain('id="pay_part-error"')
  expect(html.match(/aria-invalid/g)).toHaveLength(1)
  expect(html.match(/12,50/g)).toHaveLength(1)
})

test('rejects an action from an outdated page, and shows the current state', async () => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  on.act(id, { type: 'fail' })
  for (const form of [
    { action: 'succeed' },
    { action: 'refund' },
    { action: 'switch', method: 'pix' },
    { action: 'end_window' },
  ]) {
    const { status, html } = await send(url, form)
    expect([form, status]).toEqual([form, 409])
    expect(alerts(html)).toHaveLength(1)
    expect(html).toContain('Payment failed')
    expect(buttons(html)).toEqual([])
  }
})

test('rejects forms of other sites, other host names and other HTTP methods', async () => {
  const { on } = shared()
  const { id, url } = await checkout(on)
  const form = { action: 'succeed', method: 'card' }
  for (const Origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
    expect([Origin, (await send(url, form, { Origin })).status]).toEqual([Origin, 403])
  }
  expect(await rawStatus(url, { headers: { Host: 'evil.example' } })).toBe(403)
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(405)
  expect(await lookUp(on, id)).toMatchObject({ status: 'pending' })
})

test('escapes everything that a merchant can write', async () => {
  const { on } = shared()
  const hostile = "https://shop.example/?a=1&quot='onclick='alert(1)"
  const { id, url } = await checkout(on, { return_url: hostile })
  on.act(id, { type: 'fail', reason: '<img src=x onerror=alert(1)>' })
  const { html } = await screen(url)
  expect(html).toContain(
    'href="https://shop.example/?a=1&amp;quot=&#39;onclick=&#39;alert(1)">Return to Tea House',
  )
  expect(html).toContain('&lt;img src=x')
  expect(html).not.toContain('<img')
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'no address'])(
  'does not link a return_url that is not a web address: %s',
  async (returnUrl) => {
    const { organizationId, ...parts } = await composed()
    const context = { ...parts, origin: () => 'http://127.0.0.1' }
    const given = { organizationId, mode: 'test' as const, amount: '1', currency: 'USD' }
    const seen = (link: string) =>
      viewOf(context, context.payments.create({ ...given, returnUrl: link })).returnUrl
    expect([seen(returnUrl), seen('http://localhost/x')]).toEqual([null, 'http://localhost/x'])
  },
)
