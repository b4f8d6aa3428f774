import { describe, expect, onTestFinished, test } from 'vitest'
import { createVerifier } from '../../../receiver/verify.ts'
import { type DeliveriesOptions, startDeliveries } from '../../../sandbox/deliveries/index.ts'
import { parseRoute } from '../../../sandbox/deliveries/routes.ts'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'
import type { Respond } from '../support.ts'
import { ENDPOINT_SECRET, enqueue, URL_SECRET } from './fill.ts'
import { receiver, storeWith } from './support.ts'

/** A clock that starts at 1,000,000 and only moves when advanced. */
function movable() {
  let time = 1_000_000
  return { now: () => time, wall: Date.now, advance: (ms: number) => (time += ms) }
}

async function setup(respond?: Respond, more: Partial<DeliveriesOptions> = {}) {
  const store = more.store ?? (await storeWith())
  const target = await receiver(respond)
  const clock = movable()
  const changes: string[] = []
  const feed = { publish: ({ id = '' }) => void changes.push(id) }
  const routes = ['shop', 'endpoint'].map((name) =>
    parseRoute(`https://${name}.example/=http://127.0.0.1:${target.port}/`),
  )
  const fixed = { schedule: [1000, 5000], random: () => 0.5, closeWithinMs: 0 }
  const deliveries = startDeliveries({ store, clock, feed, routes, ...fixed, ...more })
  onTestFinished(() => deliveries.close())
  return {
    ...target,
    store,
    clock,
    deliveries,
    changes,
    /** Sends what is due. */
    sent: async () => {
      deliveries.wake()
      await deliveries.idle()
    },
    state: (id: string) => store.deliveries.get(id)?.state,
    /** The status or error of each attempt. */
    tried: (id: string) => store.deliveries.attempts(id).map(({ status, error }) => status ?? error),
  }
}

const answering =
  (...statuses: number[]): Respond =>
  (_request, response) =>
    response.writeHead(statuses.shift() ?? 200).end()

describe('an acknowledged delivery', () => {
  test("has the stored bytes, and a signature with its recipient's secret and real time", async () => {
    const { store, received, state, tried, changes, sent } = await setup()
    const [bare, registered] = [
      enqueue(store),
      enqueue(store, { endpointId: 'we_one', url: 'https://endpoint.example/hooks' }),
    ]
    await sent()
    expect([state(bare.id), state(registered.id)]).toEqual(['delivered', 'delivered'])
    expect(tried(bare.id)).toEqual([200])
    expect(changes.filter((id) => id === bare.id)).toHaveLength(2)
    for (const [{ body }, secret, host] of [
      [bare, URL_SECRET, 'shop.example'],
      [registered, ENDPOINT_SECRET, 'endpoint.example'],
    ] as const) {
      const request = received.find(({ headers }) => headers.host === host)
      expect(request?.body.equals(body)).toBe(true)
      const verify = createVerifier({ secrets: secret })
      expect(() => verify(body, String(request?.headers['x-service-signature']))).not.toThrow()
    }
  })

  test.each([
    ['2xx', 200, 'delivered', false],
    ['2xx', 204, 'delivered', true],
    ['2xx', 299, 'delivered', true],
    ['2xx', 302, 'pending', false],
    ['strict', 200, 'delivered', false],
    ['strict', 204, 'pending', false],
  ] as const)('with ack %s, status %i makes it %s', async (ack, status, state, flagged) => {
    const { store, sent } = await setup(answering(status), { ack })
    const { id } = enqueue(store)
    await sent()
    expect(store.deliveries.get(id)).toMatchObject({ state, flagged, attempts: 1 })
  })

  test('is recorded with the request and the response', async () => {
    const { store, sent } = await setup((_q, response) => response.setHeader('X-One', 'a').end('thanks'))
    const { id } = enqueue(store)
    await sent()
    const [attempt] = store.deliveries.attempts(id)
    expect(attempt).toMatchObject({ number: 1, startedAt: 1_000_000, status: 200, error: null, detail: null })
    expect(attempt?.requestHeaders['X-Service-Signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    expect(attempt?.responseHeaders).toMatchObject({ 'X-One': 'a' })
    expect(Buffer.from(attempt?.responseBody ?? []).toString()).toBe('thanks')
  })
})

describe('a failed attempt', () => {
  test("is retried by the schedule, on the sandbox's clock, with the same bytes", async () => {
    const { store, clock, received, state, tried, sent } = await setup(answering(500, 302, 200))
    const { id, body } = enqueue(store)
    await sent()
    expect(store.deliveries.get(id)).toMatchObject({ state: 'pending', nextAttemptAt: 1_001_000 })
    for (const [ms, statuses] of [
      [999, [500]],
      [1, [500, 302]],
      [5000, [500, 302, 200]],
    ] as const) {
      clock.advance(ms)
      await sent()
      expect(tried(id)).toEqual(statuses)
    }
    expect(state(id)).toBe('delivered')
    expect(received.every((request) => request.body.equals(body))).toBe(true)
  })

  test('is the last at the end of the schedule', async () => {
    const { store, clock, state, tried, sent } = await setup(answering(500, 500, 500, 200))
    const { id } = enqueue(store)
    for (let hour = 0; hour < 5; hour += 1) {
      await sent()
      clock.advance(3_600_000)
    }
    expect([state(id), tried(id)]).toEqual(['failed', [500, 500, 500]])
    expect(store.deliveries.get(id)?.endedAt).toBe(1_000_000 + 2 * 3_600_000)
  })

  test('waits as long as Retry-After requests', async () => {
    const { store, sent } = await setup((_q, response) =>
      response.writeHead(503, { 'Retry-After': '90' }).end(),
    )
    const { id } = enqueue(store)
    await sent()
    expect(store.deliveries.get(id)?.nextAttemptAt).toBe(1_090_000)
  })

  test('is recorded as refused or blocked', async () => {
    const dead = await freePort()
    const routes = [parseRoute(`https://shop.example/=http://127.0.0.1:${dead}/`)]
    const { store, tried, sent } = await setup(undefined, { routes })
    const [refused, blocked] = [enqueue(store), enqueue(store, { url: 'https://10.0.0.1/' })]
    await sent()
    expect([tried(refused.id), tried(blocked.id)]).toEqual([['refused'], ['blocked']])
  })

  test('is retried on time without waking the queue', async () => {
    const clock = { now: Date.now, wall: Date.now }
    const { store, deliveries, state } = await setup(answering(500, 200), { clock, schedule: [50] })
    const { id } = enqueue(store)
    deliveries.wake()
    await until(() => state(id) === 'delivered')
  })
})

describe('the queue', () => {
  test('drains with limited concurrency, earliest due first', async () => {
    let [open, most] = [0, 0]
    const { store, received, sent } = await setup(
      (_q, response) => {
        open += 1
        most = Math.max(most, open)
        setTimeout(() => {
          open -= 1
          response.end()
        }, 5)
      },
      // A single recipient gets at most half of it.
      { concurrency: 8 },
    )
    const ids = Array.from({ length: 60 }, (_, index) => enqueue(store, { nextAttemptAt: 60 - index }).id)
    await sent()
    expect(most).toBe(4)
    expect(received).toHaveLength(60)
    expect(ids.every((id) => store.deliveries.get(id)?.state === 'delivered')).toBe(true)
    const order = received.map(({ body }) => JSON.parse(body.toString()).id as string)
    const last = store.deliveries.get(ids[59] ?? '')
    expect(order.slice(0, 4)).toContain(last?.eventId)
  })

  test('continues after the store could not be written for a while', async () => {
    const failures: unknown[] = []
    const store = await storeWith()
    const { deliveries, state, tried } = await setup(undefined, {
      store,
      storeRetryMs: 20,
      onFailure: (error) => failures.push(error),
    })
    const { id } = enqueue(store)
    store.database.exec('PRAGMA query_only = 1')
    deliveries.wake()
    await until(() => failures.length > 0)
    store.database.exec('PRAGMA query_only = 0')
    await until(() => state(id) === 'delivered')
    expect(tried(id)).toEqual([200])
  })

  test('retries attempts that chaos drops', async () => {
    const { store, clock, received, tried, sent } = await setup()
    const { id } = enqueue(store, { chaos: { dropFirst: 2 } })
    for (const ms of [0, 1000, 5000]) {
      clock.advance(ms)
      await sent()
    }
    expect(tried(id)).toEqual(['timeout', 'timeout', 200])
    expect(received).toHaveLength(1)
  })

  test("sends the faulty signature of chaos, and the delivery's own body", async () => {
    const { store, received, sent } = await setup()
    const body = Buffer.from('{"event":"payment.completed","payment_id":"tx_other"}')
    enqueue(store, { body, chaos: { badSignature: true } })
    await sent()
    expect(received[0]?.body.equals(body)).toBe(true)
    const verify = createVerifier({ secrets: URL_SECRET })
    expect(() => verify(body, String(received[0]?.headers['x-service-signature']))).toThrow(
      expect.objectContaining({ code: 'signature_mismatch' }),
    )
  })
})

describe('manual actions', () => {
  test('retryNow sends a pending delivery, and rejects others', async () => {
    const { store, deliveries, state, sent } = await setup(answering(500, 200))
    const { id } = enqueue(store)
    await sent()
    expect(deliveries.retryNow(id)).toBe(true)
    await until(() => state(id) === 'delivered')
    expect([deliveries.retryNow(id), deliveries.retryNow('dlv_none')]).toEqual([false, false])
  })

  test('cancel ends pending deliveries and those in flight', async () => {
    let closed = 0
    const { store, deliveries, received, state, tried } = await setup((_q, response) =>
      response.on('close', () => (closed += 1)),
    )
    const flying = enqueue(store)
    const waiting = enqueue(store, { nextAttemptAt: 9_000_000 })
    deliveries.wake()
    await until(() => received.length === 1)
    expect([deliveries.cancel(flying.id), deliveries.cancel(waiting.id)]).toEqual([true, true])
    await deliveries.idle()
    await until(() => closed === 1)
    expect([state(flying.id), state(waiting.id)]).toEqual(['cancelled', 'cancelled'])
    expect([tried(flying.id), tried(waiting.id)]).toEqual([['aborted'], []])
    expect(deliveries.cancel(flying.id)).toBe(false)
  })

  test('a deleted endpoint gets nothing more: retries stop, deliveries in flight are aborted', async () => {
    const { store, deliveries, received, state, tried } = await setup(() => {})
    const url = 'https://endpoint.example/hooks'
    const flying = enqueue(store, { endpointId: 'we_one', url })
    const other = enqueue(store)
    deliveries.wake()
    await until(() => received.length === 2)
    const waiting = enqueue(store, { endpointId: 'we_one', url, nextAttemptAt: 9_000_000 })
    // Like DELETE /webhooks/{id}, which cancels pending deliveries in the same transaction.
    store.transaction(() => {
      store.endpoints.delete('org_one', 'we_one', 1)
      store.deliveries.cancelOfEndpoint('we_one', 1)
    })
    deliveries.endpointDeleted('we_one')
    await until(() => state(flying.id) === 'cancelled')
    expect([state(waiting.id), state(other.id)]).toEqual(['cancelled', 'in_flight'])
    expect(tried(flying.id)).toEqual(['aborted'])
    // A delivery that is still queued afterwards has no secret to sign it with.
    const late = enqueue(store, { endpointId: 'we_one', url })
    deliveries.wake()
    await until(() => state(late.id) === 'cancelled')
    expect(received).toHaveLength(2)
  })

  test('redeliver sends the same bytes in a new delivery, without chaos', async () => {
    const { store, deliveries, received, state, sent } = await setup()
    const { id, body } = enqueue(store, { chaos: { staleBySeconds: 600 } })
    await sent()
    const repeated = deliveries.redeliver(id)
    const edited = deliveries.redeliver(id, Buffer.from('{}'))
    await deliveries.idle()
    expect([repeated.cause, edited.cause]).toEqual(['redelivery', 'edited'])
    expect([state(repeated.id), state(edited.id)]).toEqual(['delivered', 'delivered'])
    expect(received.map((request) => String(request.body))).toEqual([String(body), String(body), '{}'])
    const t = received.map(({ headers }) =>
      Number(/t=(\d+)/.exec(String(headers['x-service-signature']))?.[1]),
    )
    expect((t[1] ?? 0) - (t[0] ?? 0)).toBeGreaterThanOrEqual(600)
    expect(() => deliveries.redeliver('dlv_none')).toThrow(
      expect.objectContaining({ code: 'no_such_delivery' }),
    )
  })

  test('redeliver keeps a body that chaos or a person changed', async () => {
    const { store, deliveries, received } = await setup()
    const { id } = enqueue(store, { body: Buffer.from('{"x_unknown_field":1}') })
    deliveries.redeliver(id)
    await deliveries.idle()
    expect(received.map((request) => request.body.toString())).toEqual(Array(2).fill('{"x_unknown_field":1}'))
  })

  test('redeliverFailed resends each once, but not to a deleted endpoint', async () => {
    const { store, deliveries, received, state, sent } = await setup(answering(500, 500, 500), {
      schedule: [],
    })
    const [one, two] = [enqueue(store), enqueue(store)]
    const registered = enqueue(store, { endpointId: 'we_one', url: 'https://endpoint.example/hooks' })
    await sent()
    expect([one, two, registered].map(({ id }) => state(id))).toEqual(['failed', 'failed', 'failed'])
    store.endpoints.delete('org_one', 'we_one', 1)
    const failed = [one.id, two.id, registered.id, 'dlv_none']
    // Twice at the same time, as after a double click.
    for (const _ of [1, 2]) deliveries.redeliverFailed('org_one', { failed, failing: [] })
    await deliveries.idle()
    expect(received).toHaveLength(5)
    deliveries.redeliverFailed('org_one', { failed, failing: [] })
    await deliveries.idle()
    expect(received).toHaveLength(5)
    expect(() => deliveries.redeliver(registered.id)).toThrow(
      expect.objectContaining({ code: 'endpoint_deleted' }),
    )
  })
})

describe('stopping', () => {
  test('drop aborts everything so that the store can be emptied, and wake restarts the queue', async () => {
    const { store, deliveries, received, state } = await setup((_q, response) => {
      if (received.length > 1) response.end()
    })
    const { id } = enqueue(store)
    deliveries.wake()
    await until(() => received.length === 1)
    await deliveries.drop()
    expect(state(id)).toBe('pending')
    deliveries.wake()
    await until(() => state(id) === 'delivered')
  })

  test('close waits for deliveries in flight, and requeues those that take too long', async () => {
    const { store, deliveries, received, state, tried } = await setup(
      (request, response) => {
        if (request.headers.host === 'shop.example') setTimeout(() => response.end(), 100)
      },
      { closeWithinMs: 1000 },
    )
    const quick = enqueue(store)
    const never = enqueue(store, { endpointId: 'we_one', url: 'https://endpoint.example/hooks' })
    const unsent = enqueue(store, { nextAttemptAt: 2_000_000 })
    deliveries.wake()
    await until(() => received.length === 2)
    await deliveries.close()
    await deliveries.idle()
    expect([quick, never, unsent].map(({ id }) => state(id))).toEqual(['delivered', 'pending', 'pending'])
    expect(tried(never.id)).toEqual(['aborted'])
    deliveries.wake()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(received).toHaveLength(2)
  })

  test('requeues deliveries that were in flight when the process died, without using up a retry', async () => {
    const store = await storeWith()
    const { id } = enqueue(store)
    store.database.exec("UPDATE deliveries SET state = 'in_flight', attempts = 1")
    const { clock, state, tried, sent } = await setup(answering(500, 500, 200), { store })
    for (const ms of [0, 1000, 5000]) {
      clock.advance(ms)
      await sent()
    }
    expect([state(id), tried(id)]).toEqual(['delivered', ['aborted', 500, 500, 200]])
  })
})
