import { expect, onTestFinished, test } from 'vitest'
import { startDeliveries } from '../../../sandbox/deliveries/index.ts'
import { claim } from '../../../sandbox/deliveries/queue.ts'
import { parseRoute } from '../../../sandbox/deliveries/routes.ts'
import { attemptOf } from '../../../sandbox/deliveries/schedule.ts'
import { unsent } from '../../../sandbox/deliveries/sender.ts'
import { outbox } from '../../../sandbox/store/deliveries.ts'
import type { Database } from '../../../sandbox/store/sqlite.ts'
import type { Store } from '../../../sandbox/store/store.ts'
import { until } from '../../support/until.ts'
import { enqueue } from './fill.ts'
import { receiver, storeWith } from './support.ts'

const clock = { now: Date.now, wall: Date.now }

/** Starts deliveries to receivers that never respond, except the one whose host name starts with `quick`. */
async function start(store: Store, hosts: readonly string[], concurrency?: number) {
  const target = await receiver((request, response) => {
    if (request.headers.host?.startsWith('quick') === true) response.end()
  })
  const routes = hosts.map((host) => parseRoute(`https://${host}/=http://127.0.0.1:${target.port}/`))
  const deliveries = startDeliveries({ store, clock, routes, concurrency, closeWithinMs: 0 })
  onTestFinished(() => deliveries.close())
  const sentTo = (host: string) => target.received.filter(({ headers }) => headers.host === host).length
  return { deliveries, sentTo }
}

test('a hanging endpoint with 200 due deliveries does not delay another', async () => {
  const store = await storeWith()
  // Different paths, as payments may have, on one hanging server.
  const hung = Array.from(
    { length: 200 },
    (_, order) => enqueue(store, { url: `https://hung.example/hooks/${order}` }).id,
  )
  const { deliveries, sentTo } = await start(store, ['hung.example', 'quick.example'])
  await until(() => sentTo('hung.example') > 0)

  const ids = Array.from(
    { length: 50 },
    () => enqueue(store, { url: 'https://quick.example/', nextAttemptAt: 1 }).id,
  )
  deliveries.wake()
  await until(() => ids.every((id) => store.deliveries.get(id)?.state === 'delivered'))
  // None of them waited until a delivery to the hanging endpoint timed out.
  expect(
    hung.map((id) => store.deliveries.get(id)?.state).filter((state) => state === 'in_flight'),
  ).toHaveLength(16)
  expect(sentTo('hung.example')).toBe(16)
})

test('several hanging endpoints do not either: each uses half of the remaining capacity', async () => {
  const store = await storeWith()
  const hung = ['one', 'two', 'three'].map((name) => `${name}.example`)
  for (const host of hung)
    for (let n = 0; n < 40; n += 1) enqueue(store, { url: `https://${host}?order=${n}` })
  const { deliveries, sentTo } = await start(store, [...hung, 'quick.example'], 16)
  await until(() => hung.every((host) => sentTo(host) > 0))
  const { id } = enqueue(store, { url: 'https://quick.example/', nextAttemptAt: 1 })
  deliveries.wake()
  await until(() => store.deliveries.get(id)?.state === 'delivered')
  const sent = hung.map(sentTo)
  expect(sent.reduce((a, b) => a + b)).toBeLessThan(16)
  expect(Math.max(...sent)).toBe(8)
})

test('a hanging endpoint with more due deliveries does not keep the queue busy', async () => {
  const store = await storeWith()
  for (let n = 0; n < 40; n += 1) enqueue(store)
  let turns = 0
  const transaction: Store['transaction'] = (work) => {
    turns += 1
    return store.transaction(work)
  }
  const { sentTo } = await start({ ...store, transaction }, ['shop.example'])
  await until(() => sentTo('shop.example') === 16)
  const before = turns
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(turns).toBe(before)
})

test.each([
  ['https://shop.example/hooks/1', 'https://shop.example'],
  ['https://shop.example:8443/hooks?a=/', 'https://shop.example:8443'],
  ['https://shop.example', 'https://shop.example'],
  ['https://shop.example?order=1', 'https://shop.example'],
  ['https://shop.example#a', 'https://shop.example'],
])('the recipient of %s is %s', async (url, recipient) => {
  const store = await storeWith()
  enqueue(store, { url })
  expect(outbox(store.database).waiting()).toEqual([{ recipient, firstDueAt: 0 }])
})

test('reads the deliveries of no more recipients than can get an attempt', async () => {
  const store = await storeWith()
  const hosts = Array.from(
    { length: 200 },
    (_, number) => `https://${String(number).padStart(3, '0')}.example/`,
  )
  for (const [number, url] of hosts.toReversed().entries()) enqueue(store, { url, nextAttemptAt: number })
  const box = outbox(store.database)
  let read = 0
  const counting = {
    ...box,
    due: (...given: Parameters<typeof box.due>) => {
      read += 1
      return box.due(...given)
    },
  }
  const room = { now: 1000, free: 32, busy: [], isPaused: () => false }
  const { claimed, lookAgainAt } = store.transaction(() => claim(counting, room))
  expect(read).toBe(32)
  // Those that are due first, and there is no room for more.
  expect(claimed.map(({ delivery }) => delivery.url)).toEqual(hosts.toReversed().slice(0, 32))
  expect(lookAgainAt).toBeUndefined()
})

test('no statement of the queue scans all deliveries', async () => {
  const store = await storeWith()
  const { database } = store
  const statements: string[] = []
  const prepare = (sql: string) => {
    statements.push(sql)
    return database.prepare(sql)
  }
  const box = outbox({ prepare } as unknown as Database)
  for (const state of ['delivered', 'failed', 'pending', 'cancelled'] as const) {
    const { id } = enqueue(store, {})
    for (const { recipient } of box.waiting()) box.due(recipient, Date.now(), 1).map(box.take)
    const attempt = attemptOf(unsent('reset', ''), { deliveryId: id, number: 1, startedAt: 0 })
    box.settle(attempt, { state, ...(state === 'pending' && { nextAttemptAt: 0 }) }, 0)
    box.resend(id, { id: `${id}_again`, now: 0 })
    box.makeDue(id, 0)
    box.pause(id)
    box.cancel(id, 0)
  }
  box.firstDueAt('https://shop.example')
  box.inFlight()
  expect(statements.some((sql) => sql.includes("state = 'failed'"))).toBe(true)
  const steps = statements.flatMap(
    (sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[],
  )
  const scans = steps
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN (deliveries|d|attempts|a)\b/.test(detail))
  // This index contains only the relevant rows.
  expect(scans.toSorted()).toEqual(['SCAN deliveries USING INDEX deliveries_in_flight'])
})
