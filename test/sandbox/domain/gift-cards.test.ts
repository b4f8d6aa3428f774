import { expect, test } from 'vitest'
import { call, endpoint, payment, receiver, sandbox, temporaryFile } from '../support.ts'

const HOUR = 60 * 60 * 1000
const URL = 'https://shop.example/webhooks'

const COMPLETED = { event: 'payment.completed', status: 'completed', amount: '1.50' }
const EXPIRED = { event: 'payment.expired', status: 'failed', amount_received: '1.50' }

test.each([
  ['5.00', 'completed', { ...COMPLETED, amount_requested: '5.00' }],
  ['2.00', 'completed', { ...COMPLETED, amount_requested: '2.00' }],
  ['1.99', 'expired', { ...EXPIRED, amount: '1.99' }],
])(
  'a partly paid gift-card order of $%s is %s when its 24 hours end (8)',
  async (amount, status, expected) => {
    const shop = await receiver()
    const on = await sandbox({ routes: [shop.route] })
    const id = await payment(on, { amount, webhook_url: URL })
    on.act(id, { type: 'pay_part', method: 'gift_card', amount: '1.00' })
    on.advance(20 * HOUR)
    // A second part does not extend the window.
    on.act(id, { type: 'pay_part', amount: '0.50' })
    on.advance(4 * HOUR - 60_000)
    expect((await call(on, 'GET', `/payments/${id}`)).json).toMatchObject({
      status: 'partial',
      amount_received: '1.50',
    })
    await on.idle()
    expect(shop.got).toHaveLength(2)

    on.advance(60_000)
    const after = await call(on, 'GET', `/payments/${id}`)
    expect(after.json).toMatchObject({ status, amount, amount_received: '1.50', window_ends_at: null })
    await on.idle()
    expect(shop.got).toHaveLength(3)
    expect(JSON.parse(String(shop.got[2]?.body))).toMatchObject(expected)
  },
)

test('windows that end while the clock is advanced end at their own time, in order', async () => {
  const on = await sandbox()
  const ids = [await payment(on), await payment(on)]
  on.act(ids[0] ?? '', { type: 'pay_part', method: 'gift_card', amount: '1' })
  on.advance(HOUR)
  on.act(ids[1] ?? '', { type: 'pay_part', method: 'gift_card', amount: '1' })
  on.advance(1000 * HOUR)
  const { json } = await call(on, 'GET', '/payments?status=completed')
  const at = (json['data'] as { updated_at: string }[]).map(({ updated_at }) => Date.parse(updated_at))
  expect((at[0] ?? 0) - (at[1] ?? 0)).toBeGreaterThan(HOUR - 1000)
  expect((at[0] ?? 0) - (at[1] ?? 0)).toBeLessThan(2 * HOUR)
})

test('a window ends in real time without anyone advancing the clock', async () => {
  const real = { offset: 0 }
  const on = await sandbox({ clock: () => Date.now() + real.offset })
  const id = await payment(on)
  on.advance(HOUR)
  real.offset = -200
  on.act(id, { type: 'pay_part', method: 'gift_card', amount: '1' })
  // After this the clock is not advanced again: real time reaches the end.
  on.advance(24 * HOUR - 400)
  expect((await call(on, 'GET', `/payments/${id}`)).json).toMatchObject({ status: 'partial' })
  await expect
    .poll(async () => (await call(on, 'GET', `/payments/${id}`)).json['status'], { timeout: 10_000 })
    .toBe('completed')
})

test('a window that ended while the sandbox was stopped ends at the next start', async () => {
  const file = temporaryFile()
  const before = await sandbox({ file })
  const { id } = await endpoint(before, { url: URL, mode: 'both' })
  const tx = await payment(before)
  before.act(tx, { type: 'pay_part', method: 'gift_card', amount: '1' })
  await before.close()

  const after = await sandbox({ file, clock: () => Date.now() + 24 * HOUR })
  expect(after.testKey).toBe(before.testKey)
  expect((await call(after, 'GET', `/payments/${tx}`)).json).toMatchObject({ status: 'completed' })
  expect((await call(after, 'GET', `/webhooks/${id}`)).status).toBe(200)
})

test('the file stores the clock offset, and the clock never goes back', async () => {
  const file = temporaryFile()
  const before = await sandbox({ file })
  before.advance(1000 * HOUR)
  await before.close()
  const after = await sandbox({ file })
  const clock = `${after.url}/sandbox/clock`
  const shown = (await (await fetch(clock)).json()) as { offset_ms: number; now: string }
  expect(shown.offset_ms).toBeGreaterThan(999 * HOUR)
  expect(shown.offset_ms).toBeLessThanOrEqual(1000 * HOUR)
  expect(Date.parse(shown.now)).toBeGreaterThan(Date.now() + 999 * HOUR)
  expect(() => after.advance(-1)).toThrow('at least 0')
  expect(() => after.advance(0.5)).toThrow('whole number')
  expect(() => after.advance(Number.MAX_SAFE_INTEGER)).toThrow('9998')
})
