import { expect, test } from 'vitest'
import { readDelivery } from '../../receiver/receive.ts'
import { createVerifier } from '../../receiver/verify.ts'
import { call, endpoint, payment, receiver, sandbox } from './support.ts'

const at = (path: string) => `https://shop.example${path}`

test('sends an event to webhook_url and to every endpoint whose filter and mode match (6 rule 1)', async () => {
  const shop = await receiver()
  const on = await sandbox({ routes: [shop.route] })
  await endpoint(on, { url: at('/live') })
  await endpoint(on, { url: at('/test'), mode: 'test' })
  await endpoint(on, { url: at('/both'), mode: 'both' })
  await endpoint(on, { url: at('/failed'), mode: 'both', events: ['payment.failed'] })
  const deleted = await endpoint(on, { url: at('/deleted'), mode: 'both' })
  await call(on, 'DELETE', `/webhooks/${deleted.id}`)
  const other = { key: on.organizations[1]?.testKey ?? '', body: { url: at('/other'), mode: 'both' } }
  expect((await call(on, 'POST', '/webhooks', other)).status).toBe(201)

  const paths = async (key: string, outcome: 'succeed' | 'fail') => {
    shop.got.length = 0
    on.act(await payment(on, { webhook_url: at('/bare') }, key), { type: outcome })
    await on.idle()
    return shop.got.map(({ path }) => path).toSorted()
  }
  expect(await paths(on.testKey, 'succeed')).toEqual(['/bare', '/both', '/test'])
  expect(await paths(on.liveKey, 'succeed')).toEqual(['/bare', '/both', '/live'])
  expect(await paths(on.testKey, 'fail')).toEqual(['/bare', '/both', '/failed', '/test'])
})

test("signs each delivery with its recipient's secret, as the reference receiver verifies (5.3)", async () => {
  const shop = await receiver()
  const on = await sandbox({ routes: [shop.route] })
  const { secret } = await endpoint(on, { url: at('/endpoint'), mode: 'test' })
  const id = await payment(on, { webhook_url: at('/bare'), metadata: { name: 'Zoë 🎁' } })
  on.act(id, { type: 'succeed', simulated: true })
  await on.idle()
  expect(shop.got).toHaveLength(2)
  for (const { path, headers, body } of shop.got) {
    const verify = createVerifier({ secrets: path === '/bare' ? on.secret : secret })
    const delivery = readDelivery(verify, { signature: [headers['x-service-signature'] ?? []].flat(), body })
    expect(delivery.paymentId).toBe(id)
    expect(headers['content-type']).toBe('application/json')
  }
  expect(shop.got[0]?.body).toEqual(shop.got[1]?.body)
})

test('resend-webhook sends the same bytes with a new t to all current recipients (4.7)', async () => {
  const shop = await receiver()
  let time = Date.now()
  const on = await sandbox({ routes: [shop.route], clock: () => time })
  const first = await endpoint(on, { url: at('/first') })
  const id = await payment(on, { webhook_url: at('/bare') }, on.liveKey)
  const resend = (key = on.liveKey, tx = id) => call(on, 'POST', `/payments/${tx}/resend-webhook`, { key })
  expect((await resend()).status).toBe(409)

  on.act(id, { type: 'succeed' })
  await on.idle()
  await call(on, 'DELETE', `/webhooks/${first.id}`)
  await endpoint(on, { url: at('/second') })
  await endpoint(on, { url: at('/failed'), events: ['payment.failed'] })
  time += 5000
  const again = await resend()
  const resent = { payment_id: id, event: 'payment.completed', deliveries: 2 }
  expect([again.status, again.json]).toEqual([202, resent])
  await on.idle()
  const paths = shop.got.map(({ path }) => path)
  expect(paths.slice(0, 2).toSorted()).toEqual(['/bare', '/first'])
  expect(paths.slice(2).toSorted()).toEqual(['/bare', '/second'])
  const [earlier, later] = shop.got.filter(({ path }) => path === '/bare')
  expect(later?.body).toEqual(earlier?.body)
  const t = (header: unknown) => Number(/^t=(\d+),/.exec(String(header))?.[1])
  expect(t(later?.headers['x-service-signature']) - t(earlier?.headers['x-service-signature'])).toBe(5)

  expect((await resend(on.testKey)).status).toBe(403)
  expect((await resend(on.organizations[1]?.liveKey)).status).toBe(404)
  expect((await resend(on.liveKey, await payment(on))).status).toBe(404)
  on.act(id, { type: 'reverse', as: 'refund' })
  expect((await resend()).status).toBe(409)
})

test('signs with real time after the clock was advanced; the body has the advanced time', async () => {
  const shop = await receiver()
  const on = await sandbox({ routes: [shop.route] })
  on.advance(48 * 60 * 60 * 1000)
  on.act(await payment(on, { webhook_url: at('/') }), { type: 'succeed' })
  await on.idle()
  const { body = Buffer.of(), headers } = shop.got[0] ?? {}
  expect(() => createVerifier({ secrets: on.secret })(body, headers?.['x-service-signature'])).not.toThrow()
  expect(Date.parse(JSON.parse(body.toString()).timestamp)).toBeGreaterThan(Date.now() + 47 * 60 * 60 * 1000)
})

test('retries a failed delivery as soon as the clock is advanced', async () => {
  const answers = [500, 500, 200]
  const shop = await receiver(() => answers.shift() ?? 200)
  const on = await sandbox({ routes: [shop.route], schedule: [60_000, 60_000] })
  on.act(await payment(on, { webhook_url: at('/') }), { type: 'succeed' })
  for (const attempts of [1, 2, 3]) {
    await on.idle()
    expect(shop.got).toHaveLength(attempts)
    on.advance(100_000)
  }
  await on.idle()
  expect(shop.got).toHaveLength(3)
})

test('deleting an endpoint stops its queued retries (4.4)', async () => {
  const shop = await receiver(() => 500)
  const on = await sandbox({ routes: [shop.route], schedule: [60_000, 60_000] })
  const { id } = await endpoint(on, { url: at('/'), mode: 'test' })
  on.act(await payment(on), { type: 'succeed' })
  await on.idle()
  expect(shop.got).toHaveLength(1)
  await call(on, 'DELETE', `/webhooks/${id}`)
  on.advance(1_000_000)
  await on.idle()
  expect(shop.got).toHaveLength(1)
})

test('chaos applies to the sandbox, or to one action', async () => {
  const shop = await receiver()
  const on = await sandbox({ routes: [shop.route], chaos: { duplicate: 2 } })
  const pay = () => payment(on, { webhook_url: at('/') })
  on.act(await pay(), { type: 'succeed' })
  await on.idle()
  expect(shop.got).toHaveLength(3)
  on.act(await pay(), { type: 'succeed' }, { chaos: { unknownField: true } })
  await on.idle()
  expect(shop.got).toHaveLength(4)
  expect(String(shop.got[3]?.body)).toContain('unknown')
})
