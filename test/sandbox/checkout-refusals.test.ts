import { request } from 'node:http'
import { expect, test } from 'vitest'
import { viewOf } from '../../sandbox/checkout/view.ts'
import { compose } from '../../sandbox/compose.ts'
import { resolveOptions } from '../../sandbox/resolve-options.ts'
import { alerts, buttons, checkout, load, lookUp, press } from './checkout-support.ts'
import { sandbox } from './support.ts'

test.each([
  [
    { press: 'pay_part', method: 'crypto', amount: '12,50' },
    'Amount: expected decimal text such as &quot;25.00&quot;.',
  ],
  [{ press: 'pay_part', method: 'crypto', amount: '0' }, 'The partial amount must be greater than 0.'],
  [{ press: 'accept_short', amount: '25' }, 'An underpayment must be greater than 0 and less than 25.00.'],
  [{ press: 'accept_short' }, 'Nothing has been received yet: specify the received amount.'],
  [{ press: 'settle', rail: '', amount: '1', currency: 'BRL' }, 'Rail: expected text that is not empty.'],
  [
    { press: 'settle', rail: 'PIX', amount: '1', currency: '?' },
    'Currency: expected a currency code such as &quot;USD&quot;.',
  ],
  [{ press: 'switch', method: 'crypto' }, /^Payment tx_\w+ already uses crypto\.$/],
  [{ press: 'switch', method: 'cash' }, /^Method: expected one of /],
  [{ press: 'switch' }, /^Method: expected one of /],
  [{ press: 'fail_with', failure_code: 'bad_luck' }, /^Failure code: expected one of /],
  [{ press: 'constructor' }, 'There is no such button: load the page again.'],
  [{}, 'There is no such button: load the page again.'],
])('%j is refused in one line on the page, and changes nothing', async (form, line) => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  await press(url, { press: 'switch', method: 'crypto' })
  const before = await lookUp(on, id)
  const { status, html } = await press(url, form)
  expect(status).toBe(400)
  const [first = '', ...more] = alerts(html)
  expect(more).toEqual([])
  if (typeof line === 'string') expect(first).toBe(line)
  else expect(first).toMatch(line)
  expect(html).toContain('<title>Error: ')
  expect(await lookUp(on, id)).toEqual(before)
})

test('a refusal stands in the open drawer, at its field, with what was filled in', async () => {
  const on = await sandbox()
  const { url } = await checkout(on)
  await press(url, { press: 'switch', method: 'crypto' })
  const { html } = await press(url, { press: 'pay_part', method: 'crypto', amount: '"><b>12,50' })
  expect(html).toContain('id="more" open')
  expect(html).toContain('value="&quot;&gt;&lt;b&gt;12,50"')
  expect(html).toMatch(/id="pay_part-amount"[^>]* aria-invalid="true" aria-describedby="pay_part-refused"/)
  expect(html).toContain('id="pay_part-refused"')
  expect(html.match(/aria-invalid/g)).toHaveLength(1)
  expect(html.match(/12,50/g)).toHaveLength(1)
})

test('a press on a page that is out of date is refused, and shows how things stand', async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  on.act(id, { type: 'fail' })
  for (const form of [
    { press: 'succeed' },
    { press: 'refund' },
    { press: 'switch', method: 'pix' },
    { press: 'end_window' },
  ]) {
    const { status, html } = await press(url, form)
    expect([form, status]).toEqual([form, 409])
    expect(alerts(html)).toHaveLength(1)
    expect(html).toContain('Payment failed')
    expect(buttons(html)).toEqual([])
  }
})

test("another page's form, another name of this machine and another method are refused", async () => {
  const on = await sandbox()
  const { id, url } = await checkout(on)
  const form = { press: 'succeed', method: 'card' }
  for (const Origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
    expect([Origin, (await press(url, form, { Origin })).status]).toEqual([Origin, 403])
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

test('whatever a merchant may write stands on the page as text', async () => {
  const on = await sandbox()
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
  'a return_url that is no link of the web is none on the page: %s',
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
