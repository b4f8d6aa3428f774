import { expect, test } from 'vitest'
import { call, control, JSON_TYPE, payment, sharedSandbox } from '../support.ts'

const shared = sharedSandbox()

test('creation returns an id and a checkout URL, for test keys a test checkout (2.4)', async () => {
  const on = shared()
  const body = { amount: '25.00', currency: 'USD' }
  const test = await call(on, 'POST', '/payments', { body })
  const live = await call(on, 'POST', '/payments', { body, key: on.liveKey })
  expect([test.status, live.status]).toEqual([201, 201])
  expect(test.json['id']).toMatch(/^tx_/)
  expect(test.json['checkout_url']).toBe(`${on.url}/test/checkout/${String(test.json['id'])}`)
  expect(live.json['checkout_url']).toBe(`${on.url}/checkout/${String(live.json['id'])}`)
})

test('a lookup returns the input, with unchanged metadata', async () => {
  const on = shared()
  const metadata = { order: 'SO-1', 'näme "x"': '\u0000\uD800 🎁', __proto__x: '', 7: 'seven' }
  const given = {
    return_url: 'http://localhost:3000/thanks',
    webhook_url: 'https://shop.example/w',
    metadata,
  }
  const id = await payment(on, given)
  const found = await call(on, 'GET', `/payments/${id}`)
  const more = { id, status: 'pending', amount: '25.00', currency: 'USD', livemode: false }
  expect(found.json).toMatchObject({ ...given, ...more })
})

test('accepts __proto__ as a metadata name', async () => {
  const on = shared()
  const raw = '{"amount":"1","currency":"USD","metadata":{"__proto__":"x","constructor":"y"}}'
  const created = await call(on, 'POST', '/payments', { raw, headers: JSON_TYPE })
  const found = await call(on, 'GET', `/payments/${String(created.json['id'])}`)
  expect(found.text).toContain('"metadata":{"__proto__":"x","constructor":"y"}')
})

test.each([
  ['an amount that is a number', { amount: 25 }],
  ['an amount of zero', { amount: '0.00' }],
  ['a negative amount', { amount: '-1' }],
  ['an amount of 65 digits', { amount: '1'.repeat(65) }],
  ['an empty currency', { currency: '' }],
  ['a local webhook_url', { webhook_url: 'https://127.0.0.1/' }],
  ['an http webhook_url', { webhook_url: 'http://shop.example/' }],
  ['a script as return_url', { return_url: 'javascript:alert(1)' }],
  ['metadata that is not a string', { metadata: { order: 1 } }],
])('rejects %s', async (_, wrong) => {
  const on = shared()
  const refused = await call(on, 'POST', '/payments', { body: { amount: '1', currency: 'USD', ...wrong } })
  expect(refused.status, refused.text).toBe(400)
  expect((await call(on, 'GET', '/payments')).json).toEqual({ data: [], has_more: false })
})

test.each(['http://localhost:3000/webhooks', 'localhost:3000/webhooks', 'http://192.168.1.4/'])(
  'the error for %s explains how to reach a receiver on this machine (4.8)',
  async (address) => {
    const on = shared()
    const body = { amount: '1', currency: 'USD', webhook_url: address }
    const { json, status } = await call(on, 'POST', '/payments', { body })
    const own = await control(on, '/payments', body)
    expect([status, own.status, await own.json()]).toEqual([400, 400, json])
    expect(json['error']).toMatch(/^webhook_url: .*--route .*hookproof listen/)
  },
)

test('lists payments newest first, in pages, and by status (4.6)', async () => {
  const on = shared()
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.unshift(await payment(on))
  const idsOf = (json: Record<string, unknown>) => (json['data'] as { id: string }[]).map(({ id }) => id)

  const first = await call(on, 'GET', '/payments?limit=2')
  expect([idsOf(first.json), first.json['has_more']]).toEqual([ids.slice(0, 2), true])
  const second = await call(on, 'GET', `/payments?limit=3&starting_after=${ids[1]}`)
  expect([idsOf(second.json), second.json['has_more']]).toEqual([ids.slice(2), false])

  on.act(ids[3] ?? '', { type: 'succeed' })
  const completed = await call(on, 'GET', '/payments?status=completed')
  expect(idsOf(completed.json)).toEqual([ids[3]])
  expect(idsOf((await call(on, 'GET', '/payments?status=pending&limit=100')).json)).toHaveLength(4)
})

test.each(['limit=0', 'limit=101', 'limit=x', 'limit=1&limit=2', 'status=done', 'starting_after=tx_nobody'])(
  'rejects the query %s',
  async (query) => {
    const on = shared()
    expect((await call(on, 'GET', `/payments?${query}`)).status).toBe(400)
  },
)

test('keys of another organization or mode cannot tell a payment from one that does not exist', async () => {
  const on = shared()
  const id = await payment(on)
  for (const key of [on.liveKey, on.organizations[1]?.testKey, on.organizations[1]?.liveKey]) {
    const other = { key: key ?? '' }
    const [found, nobody] = [
      await call(on, 'GET', `/payments/${id}`, other),
      await call(on, 'GET', '/payments/tx_0', other),
    ]
    expect([found.status, found.text]).toEqual([404, nobody.text])
    expect((await call(on, 'GET', '/payments', other)).json['data']).toEqual([])
    const [after, none] = [id, 'tx_0'].map((last) =>
      call(on, 'GET', `/payments?starting_after=${last}`, other),
    )
    expect((await after)?.text).toBe((await none)?.text)
  }
})

test('concurrent requests with one Idempotency-Key create one payment, and do not affect others', async () => {
  const on = shared()
  const body = { amount: '5', currency: 'USD' }
  const [headers, empty] = [{ 'Idempotency-Key': 'order-1' }, { 'Idempotency-Key': '' }]
  const [same, refused, free] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => call(on, 'POST', '/payments', { body, headers }))),
    Promise.all(Array.from({ length: 5 }, () => call(on, 'POST', '/payments', { body, headers: empty }))),
    Promise.all(Array.from({ length: 20 }, () => call(on, 'POST', '/payments', { body }))),
  ])
  expect(same.filter(({ headers }) => headers.get('Idempotent-Replayed') === null)).toHaveLength(1)
  expect(new Set(same.map(({ text }) => text)).size).toBe(1)
  expect(refused.map(({ status }) => status)).toEqual(Array(5).fill(400))
  expect(new Set(free.map(({ json }) => json['id'])).size).toBe(20)
  const { json } = await call(on, 'GET', '/payments?limit=100')
  expect(json['data']).toHaveLength(21)
})

test('a retry with the same Idempotency-Key creates no second payment', async () => {
  const on = shared()
  const headers = { 'Idempotency-Key': 'order-1' }
  const body = { amount: '5', currency: 'USD', metadata: { a: '1', b: '2' } }
  const first = await call(on, 'POST', '/payments', { body, headers })
  const reordered = { metadata: { b: '2', a: '1' }, currency: 'USD', amount: '5' }
  const retries = await Promise.all(
    [body, reordered, body].map((again) => call(on, 'POST', '/payments', { body: again, headers })),
  )
  for (const retry of retries) {
    expect([retry.status, retry.text]).toEqual([201, first.text])
    expect(retry.headers.get('Idempotent-Replayed')).toBe('true')
  }
  expect(first.headers.get('Idempotent-Replayed')).toBeNull()

  const other = await call(on, 'POST', '/payments', { body: { ...body, amount: '6' }, headers })
  expect(other.status).toBe(422)
  const live = await call(on, 'POST', '/payments', { body, headers, key: on.liveKey })
  expect([live.status, live.text === first.text]).toEqual([201, false])

  on.advance(24 * 60 * 60 * 1000 + 1)
  const later = await call(on, 'POST', '/payments', { body, headers })
  expect([later.status, later.text === first.text]).toEqual([201, false])
})
