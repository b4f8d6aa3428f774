import { expect, test } from 'vitest'
import { call, endpoint, sharedSandbox } from '../support.ts'

const shared = sharedSandbox()

const URL = 'https://shop.example/webhooks'

test('only the response to creation contains the secret (4.1 to 4.3)', async () => {
  const on = shared()
  const created = await call(on, 'POST', '/webhooks', { body: { url: URL, events: ['payment.completed'] } })
  expect(created.status).toBe(201)
  expect(Object.keys(created.json).toSorted()).toEqual(
    ['created_at', 'events', 'id', 'is_enabled', 'mode', 'secret', 'url'].toSorted(),
  )
  const given = { url: URL, events: ['payment.completed'] }
  expect(created.json).toMatchObject({ ...given, mode: 'live', is_enabled: true })
  expect(created.json['id']).toMatch(/^we_/)
  expect(created.json['secret']).toMatch(/^whsec_/)

  const listed = await call(on, 'GET', '/webhooks')
  const { id, url, events, created_at } = created.json
  const shown = { id, url, events, is_enabled: true, description: null, created_at }
  expect(listed.json).toEqual({ data: [shown] })
  const retrieved = await call(on, 'GET', `/webhooks/${String(id)}`)
  expect(retrieved.json).toEqual(shown)
  expect(listed.text + retrieved.text).not.toContain('whsec_')
})

test('without a filter an endpoint gets every event; a repeated name counts once (2.1)', async () => {
  const on = shared()
  const all = await call(on, 'POST', '/webhooks', { body: { url: URL } })
  expect(all.json['events']).toHaveLength(5)
  const twice = await call(on, 'POST', '/webhooks', {
    body: { url: URL, events: ['payment.failed', 'payment.failed'], mode: 'both' },
  })
  expect(twice.json).toMatchObject({ events: ['payment.failed'], mode: 'both' })
})

test('accepts an uppercase scheme', async () => {
  const on = shared()
  const { json } = await call(on, 'POST', '/webhooks', { body: { url: 'HTTPS://SHOP.example/x' } })
  expect(json['url']).toBe('https://SHOP.example/x')
})

test.each([
  ['no url', {}, '/url'],
  ['a url that is not a string', { url: 5 }, '/url'],
  ['http', { url: 'http://shop.example/' }, 'url: The URL must start with https://.'],
  ['localhost', { url: 'https://localhost:3000/' }, '--route'],
  ['localhost without TLS', { url: 'http://localhost:3000/webhooks' }, '--route'],
  ['an address in full-width digits', { url: 'https://１２７.0.0.1/' }, 'private and special-use'],
  ['a non-ASCII host name', { url: 'https://bücher.example/' }, 'Write it as https://xn--bcher-kva.example/'],
  ['a space', { url: 'https://shop.example/a b' }, 'Write it as https://shop.example/a%20b'],
  ['a bare percent sign', { url: 'https://shop.example/%' }, 'a percent sign is written as %25'],
  ['no slashes', { url: 'https:shop.example' }, 'Write it as https://shop.example/'],
  ['port 0', { url: 'https://shop.example:0/' }, 'url: The URL must not use port 0.'],
  ['a fragment', { url: 'https://shop.example/#top' }, 'fragment'],
  ['a private address', { url: 'https://10.0.0.1/' }, '--route'],
  ['a private address in another notation', { url: 'https://0x7f000001/' }, '--route'],
  ['a user name', { url: 'https://me@shop.example/' }, 'url'],
  ['an unknown mode', { url: URL, mode: 'all' }, '/mode'],
  ['an empty list of events', { url: URL, events: [] }, 'events'],
  ['an unknown event', { url: URL, events: ['payment.complete'] }, 'payment.completed'],
  ['a description (2.1: not accepted on create)', { url: URL, description: 'mine' }, '/description'],
  ['a body that is not an object', 'https://shop.example/', 'an object'],
])('rejects %s', async (_, body, hint) => {
  const on = shared()
  const refused = await call(on, 'POST', '/webhooks', { body })
  expect(refused.status).toBe(400)
  expect(refused.json['error']).toContain(hint)
  expect((await call(on, 'GET', '/webhooks')).json).toEqual({ data: [] })
})

test('a deleted endpoint is gone immediately (4.4)', async () => {
  const on = shared()
  const { id } = await endpoint(on, { url: URL })
  const deleted = await call(on, 'DELETE', `/webhooks/${id}`)
  expect([deleted.status, deleted.text]).toEqual([204, ''])
  for (const method of ['GET', 'DELETE']) {
    const gone = await call(on, method, `/webhooks/${id}`)
    expect([gone.status, gone.json]).toEqual([404, { error: 'Webhook endpoint not found' }])
  }
  expect((await call(on, 'GET', '/webhooks')).json).toEqual({ data: [] })
})

test("another organization's endpoint gets the same response as one that does not exist (4.3, 4.4)", async () => {
  const on = shared()
  const { id } = await endpoint(on, { url: URL })
  const key = on.organizations[1]?.testKey ?? ''
  expect((await call(on, 'GET', '/webhooks', { key })).json).toEqual({ data: [] })
  for (const method of ['GET', 'DELETE']) {
    const others = await call(on, method, `/webhooks/${id}`, { key })
    const nobodys = await call(on, method, '/webhooks/we_nobody', { key })
    expect([others.status, others.text]).toEqual([nobodys.status, nobodys.text])
    expect(others.status).toBe(404)
  }
  expect((await call(on, 'GET', `/webhooks/${id}`)).status).toBe(200)
})
