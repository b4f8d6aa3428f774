import { describe, expect, it } from 'vitest'
import { memoryInbox } from '../../receiver/inbox/memory.ts'
import { createReceiver, readEvent, refusal, refuse } from '../../receiver/receive.ts'
import { clock, events, NOW, outcomeOf, read, SECRET, signed } from './support.ts'

describe('createReceiver', () => {
  const { body, header } = signed(events('core').event('completed'))

  it('stores a valid delivery and acknowledges it', async () => {
    const inbox = memoryInbox()
    const receive = createReceiver({ secrets: SECRET, clock, inbox })
    const answer = await receive({ signature: [header], body })
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': '17' },
      body: '{"received":true}',
      outcome: { outcome: 'stored', status: 200, delivery: { body } },
    })
    expect((await receive({ signature: [header], body })).outcome.outcome).toBe('duplicate')
    expect(await inbox.list({ state: 'pending' })).toHaveLength(1)
  })

  it('reads a Uint8Array as a Buffer', async () => {
    const inbox = memoryInbox()
    const receive = createReceiver({ secrets: SECRET, clock, inbox })
    // Part of a larger buffer, as servers pass it.
    const larger = new Uint8Array(body.length + 20)
    larger.set(body, 10)
    const answer = await receive({ signature: [header], body: larger.subarray(10, 10 + body.length) })
    expect(answer.status).toBe(200)
    const [entry] = await inbox.list({ state: 'pending' })
    expect(entry?.body).toEqual(body)
  })

  it('refuses in JSON with a code, and stores nothing', async () => {
    const inbox = memoryInbox()
    const receive = createReceiver({ secrets: SECRET, clock, inbox })
    const answer = await receive({ signature: [], body })
    expect(answer).toMatchObject({ status: 400, outcome: { outcome: 'refused', status: 400 } })
    expect(JSON.parse(answer.body)).toEqual({ code: 'header_missing', error: expect.any(String) })
    expect(answer.headers['Content-Length']).toBe(String(answer.body.length))
    expect(await inbox.list({ state: 'pending' })).toEqual([])
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('disk full'))],
    [
      'throws',
      () => {
        throw new Error('disk full')
      },
    ],
  ])('answers 503 when the store %s', async (_, accept) => {
    const receive = createReceiver({ secrets: SECRET, clock, inbox: { accept } })
    const answer = await receive({ signature: [header], body })
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
    expect(answer.body).not.toContain('disk')
    expect(answer.outcome).toMatchObject({
      error: { code: 'store_unavailable', cause: { message: 'disk full' } },
    })
  })

  it('rejects for a fault of the program', async () => {
    const verify = () => {
      throw new RangeError('a fault')
    }
    const receive = createReceiver({ verify, inbox: memoryInbox() })
    await expect(receive({ signature: [header], body })).rejects.toThrow(RangeError)
  })

  it('checks its options once, when it is created', () => {
    expect(() => createReceiver({ secrets: undefined, inbox: memoryInbox() })).toThrow(/^secrets: /)
    expect(() => createReceiver({ secrets: SECRET } as never)).toThrow(/^inbox: is missing/)
  })
})

describe('the answer to an error', () => {
  it('names the method that is allowed', () => {
    expect(refuse(refusal('method_not_allowed')).headers).toMatchObject({ Allow: 'POST' })
    expect(refuse(refusal('body_not_json')).headers).not.toHaveProperty('Allow')
  })

  it('is only for a WebhookError', () => {
    expect(() => refuse(new Error('a fault'))).toThrow('a fault')
  })
})

describe('a verified delivery', () => {
  const event = events('verified').event('completed')
  const { body, header } = signed(event)

  it('has the event, its name, the payment id, the signing time and the exact bytes', () => {
    const verified = read(body, header)
    expect(verified).toMatchObject({ event, name: event.event, paymentId: event.id, signedAt: NOW })
    expect(verified.body).toBe(body)
  })

  it('gets its payment id from payment_id, or from id if that is absent', () => {
    const both = { event: 'payment.completed', payment_id: 'tx_1', id: 'tx_2' }
    expect(readEvent(Buffer.from(JSON.stringify(both))).paymentId).toBe('tx_1')
    const { event, id } = both
    expect(readEvent(Buffer.from(JSON.stringify({ event, id }))).paymentId).toBe('tx_2')
  })

  it('gets the name of a simulated event from its status', () => {
    const bare = { id: 'tx_1', status: 'failed', test: true }
    expect(readEvent(Buffer.from(JSON.stringify(bare)))).toMatchObject({
      name: 'payment.failed',
      event: { event: 'payment.failed' },
    })
    expect(outcomeOf(() => readEvent(Buffer.from(JSON.stringify({ ...bare, test: false }))))).toBe(
      'body_not_event',
    )
    expect(outcomeOf(() => readEvent(Buffer.from(JSON.stringify({ ...bare, status: 'refunded' }))))).toBe(
      'body_not_event',
    )
  })

  it('may start with a byte order mark, repeatedly', () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])
    for (let round = 0; round < 3; round++) {
      const delivery = signed(marked)
      expect(read(delivery.body, delivery.header).paymentId).toBe(event.id)
      expect(outcomeOf(() => readEvent(Buffer.from([0xc3, 0x28])))).toBe('body_not_json')
    }
  })

  it.each([
    ['null'],
    ['[]'],
    ['"text"'],
    ['7'],
    ['{}'],
    ['{"event":"","id":"tx_1"}'],
    ['{"event":"a","id":""}'],
  ])('is not created from %s', (text) => {
    const delivery = signed(Buffer.from(text))
    expect(outcomeOf(() => read(delivery.body, delivery.header))).toBe('body_not_event')
  })

  it.each(['5', '""', '{}'])('is not created from an event whose payment_id is %s, even with an id', (id) => {
    const body = Buffer.from(`{"event":"a","payment_id":${id},"id":"tx_1"}`)
    expect(outcomeOf(() => readEvent(body))).toBe('body_not_event')
  })

  it('accepts JSON nested 100,000 levels deep', () => {
    const depth = 100_000
    const deep = `{"event":"a","id":"tx_1","metadata":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const delivery = signed(Buffer.from(deep))
    expect(outcomeOf(() => read(delivery.body, delivery.header))).toBe('accepted')
  })
})

describe('a simulated event without a name', () => {
  it.each(['completed', 'failed'])('gets its name from its status: %s', (status) => {
    const simulated = Buffer.from(JSON.stringify({ id: 'tx_1', status, test: true }))
    expect(readEvent(simulated)).toMatchObject({ name: `payment.${status}`, paymentId: 'tx_1' })
  })

  it('keeps an existing name', () => {
    const named = { event: 'payment.partial', id: 'tx_1', status: 'completed', test: true }
    expect(readEvent(Buffer.from(JSON.stringify(named)))).toMatchObject({
      name: 'payment.partial',
      event: named,
    })
  })
})
