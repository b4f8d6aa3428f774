import { request } from 'node:http'
import { expect, test } from 'vitest'
import { viewOf } from '../../../sandbox/checkout/view.ts'
import { compose } from '../../../sandbox/compose.ts'
import { resolveOptions } from '../../../sandbox/options.ts'
import { alerts, buttons, checkout, load, lookUp, sharedShop, submit } from './support.ts'

const shared = sharedShop()

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
  await submit(url, { action: 'switch', method: 'crypto' })
  const before = await lookUp(on, id)
  const { status, html } = await submit(url, form)
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
  await submit(url, { action: 'switch', method: 'crypto' })
  const { html } = await submit(url, { action: 'pay_part', method: 'crypto', amount: '"><b>12,50' })
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
    const { status, html } = await submit(url, form)
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
    expect([Origin, (await submit(url, form, { Origin })).status]).toEqual([Origin, 403])
  }
  const status = await new Promise((resolve, reject) => {
    const headers = { Host: 'evil.example' }
    request(url, { headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
  expect(status).toBe(403)
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(405)
  expect(await lookUp(on, id)).toMatchObject({ status: 'pending' })
})

test('escapes everything that a merchant can write', async () => {
  const { on } = shared()
  const hostile = "https://shop.example/?a=1&quot='onclick='alert(1)"
  const { id, url } = await checkout(on, { return_url: hostile })
  on.act(id, { type: 'fail', reason: '<img src=x onerror=alert(1)>' })
  const { html } = await load(url)
  expect(html).toContain(
    'href="https://shop.example/?a=1&amp;quot=&#39;onclick=&#39;alert(1)">Return to Tea House',
  )
  expect(html).toContain('&lt;img src=x')
  expect(html).not.toContain('<img')
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'no address'])(
  'does not link a return_url that is not a web address: %s',
  async (returnUrl) => {
    const { close, ...parts } = await compose(resolveOptions({}))
    const context = { ...parts, origin: () => 'http://127.0.0.1' }
    const organizationId = context.store.organizations.list()[0]?.id ?? ''
    const given = { organizationId, mode: 'test' as const, amount: '1', currency: 'USD' }
    const seen = (link: string) =>
      viewOf(context, context.payments.create({ ...given, returnUrl: link })).returnUrl
    expect([seen(returnUrl), seen('http://localhost/x')]).toEqual([null, 'http://localhost/x'])
    await close()
  },
)
