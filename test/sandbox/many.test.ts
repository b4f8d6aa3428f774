import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Composed } from '../../sandbox/compose.ts'
import { expiryOf } from '../../sandbox/control/trigger.ts'
import { newId } from '../../sandbox/ids.ts'
import { EVENT_NAMES } from '../../sandbox/model.ts'
import { composed, countOf, temporaryFile } from './support.ts'

const MANY = 1_000
/** What the sandbox does with at most so many rows needs one turn of the event loop. */
const AT_ONCE = 100
const HOUR = 3_600_000
const URL = 'https://shop.example/'
/** Nothing listens there. */
const ROUTE = `${URL}=http://127.0.0.1:1/`

const open = (file = temporaryFile()) => composed({ file, routes: [ROUTE], schedule: [HOUR] })

/** Stores deliveries to an endpoint, due later than the test takes. */
function queue({ store, payments, organizationId }: Awaited<ReturnType<typeof open>>, endpointId: string) {
  const { id } = payments.create({ organizationId, mode: 'test', amount: '5', currency: 'USD' })
  const { event } = payments.act(id, { type: 'fail', code: 'card_declined' }, { recipients: [] })
  const more = { cause: 'event', body: null, chaos: null, nextAttemptAt: Date.now() + HOUR } as const
  store.transaction(() => {
    for (let made = 0; made < MANY; made += 1) {
      const owned = { organizationId, endpointId, eventId: event.id, createdAt: 0 }
      store.deliveries.insert({ ...more, ...owned, id: newId('dlv_'), url: URL })
    }
  })
}

const counted = (parts: Pick<Composed, 'store'>, state: string): number =>
  countOf(parts, `deliveries WHERE state = '${state}'`)

test('deleting an endpoint cancels its deliveries between other work, and sends none of them', async () => {
  const file = temporaryFile()
  const first = await open(file)
  const { organizationId, endpoints, store } = first
  const { id } = endpoints.create({ organizationId, url: URL, mode: 'both' })
  queue(first, id)
  expect(endpoints.delete(organizationId, id)).toBe(true)
  expect(store.endpoints.get(id)).toMatchObject({ secret: null })
  expect(counted(first, 'cancelled')).toBe(AT_ONCE)
  await nextTurn()
  expect(counted(first, 'cancelled')).toBeLessThan(MANY)
  await first.close()

  const second = await open(file)
  // Those that are due before they are canceled are not attempted.
  second.windows.advance(2 * HOUR)
  await expect.poll(() => counted(second, 'cancelled'), { timeout: 10_000 }).toBe(MANY)
  expect(countOf(second, 'attempts')).toBe(0)
})

test('a roll that fails cancels nothing', async () => {
  const parts = await open()
  const { organizationId, endpoints, store } = parts
  const { id } = endpoints.create({ organizationId, url: URL, mode: 'both' })
  queue(parts, id)
  store.database.exec(
    `CREATE TRIGGER breaks BEFORE INSERT ON endpoints BEGIN SELECT raise(ABORT, 'full'); END`,
  )
  expect(() => endpoints.roll(organizationId, id)).toThrow('full')
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  expect(store.endpoints.get(id)).toMatchObject({ deletedAt: null })
  expect(counted(parts, 'cancelled')).toBe(0)
})

test('a listener resumes and pauses its deliveries between other work', async () => {
  const file = temporaryFile()
  const first = await open(file)
  const start = ({ forwards }: Composed) => forwards.start('http://127.0.0.1:1/hooks', EVENT_NAMES)
  const { endpointId, end } = start(first)
  queue(first, endpointId)
  end()
  expect(counted(first, 'paused')).toBe(AT_ONCE)
  const again = start(first)
  // The change that is not finished ends.
  expect(counted(first, 'paused')).toBe(0)
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  expect(counted(first, 'paused')).toBe(0)
  again.end()
  await expect.poll(() => counted(first, 'paused'), { timeout: 10_000 }).toBeGreaterThan(MANY - AT_ONCE)
  start(first)
  expect(counted(first, 'paused')).toBeGreaterThan(0)
  await first.close()

  const second = await open(file)
  await expect.poll(() => counted(second, 'pending'), { timeout: 10_000 }).toBe(0)
})

/** Starts 24-hour windows, one second apart. */
function openWindows({ store, payments, organizationId }: Awaited<ReturnType<typeof open>>): number {
  const first = Date.now() + HOUR
  store.transaction(() => {
    for (let made = 0; made < MANY; made += 1) {
      const { id } = payments.create({ organizationId, mode: 'test', amount: '5', currency: 'USD' })
      const { payment } = payments.act(id, { type: 'pay_part', method: 'gift_card', amount: '1' })
      store.payments.update({ ...payment, windowEndsAt: first + made * 1000 })
    }
  })
  return first
}

const completed = ({ store }: Pick<Composed, 'store'>) =>
  store.database
    .prepare(`SELECT count(*) AS n, min(updated_at) AS first, max(updated_at) AS last FROM payments
      WHERE status = 'completed'`)
    .get() as { n: number; first: number; last: number }

test('a move of the clock ends windows between other work, each at its own time, also after a restart', async () => {
  const file = temporaryFile()
  const first = await open(file)
  const start = openWindows(first)
  const moved = first.windows.advanceInBatches(1000 * HOUR)
  const { n } = completed(first)
  expect(n).toBeGreaterThan(0)
  expect(n).toBeLessThanOrEqual(AT_ONCE)
  expect(first.clock.offset()).toBeLessThan(24 * HOUR)
  await first.close()
  await moved

  const second = await open(file)
  expect(completed(second).n).toBeLessThan(MANY)
  // Both moves count.
  await second.windows.advanceInBatches(HOUR)
  const after = completed(second)
  expect(after.n).toBe(MANY)
  expect(after.first - start).toBeLessThan(1000)
  expect(after.last - start).toBeLessThan(MANY * 1000 + 1000)
  expect(after.last - start).toBeGreaterThanOrEqual(MANY * 1000 - 1000)
  expect(second.clock.offset()).toBeGreaterThan(1000 * HOUR)
  expect(second.clock.offset()).toBeLessThanOrEqual(1001 * HOUR)
})

test('a move of the clock that is refused changes nothing, and one that fails continues', async () => {
  const parts = await open()
  openWindows(parts)
  await expect(parts.windows.advanceInBatches(Number.MAX_SAFE_INTEGER)).rejects.toThrow('9998')
  await expect(parts.windows.advanceInBatches(-1)).rejects.toThrow('at least 0')
  const breaks = (statement: string) =>
    parts.store.database.exec(
      `CREATE TRIGGER breaks BEFORE ${statement} BEGIN SELECT raise(ABORT, 'full'); END`,
    )
  breaks("INSERT ON settings WHEN new.name = 'clock_goal_ms'")
  await expect(parts.windows.advanceInBatches(48 * HOUR)).rejects.toThrow('full')
  expect([completed(parts).n, parts.clock.offset()]).toEqual([0, 0])
  parts.store.database.exec('DROP TRIGGER breaks')

  const moved = parts.windows.advanceInBatches(48 * HOUR)
  const { n } = completed(parts)
  breaks('INSERT ON events')
  await expect(moved).rejects.toThrow('full')
  expect(completed(parts).n).toBe(n)
  parts.store.database.exec('DROP TRIGGER breaks')
  await expect.poll(() => completed(parts).n, { timeout: 10_000 }).toBe(MANY)
  expect(parts.clock.offset()).toBeGreaterThan(47 * HOUR)
})

test('trigger payment.expired ends many other windows between other work', async () => {
  const parts = await open()
  openWindows(parts)
  const pay = { type: 'pay_part', method: 'gift_card', amount: '1' } as const
  const { organizationId } = parts
  const order = { organizationId, mode: 'test', amount: '1.99', currency: 'USD' } as const
  const expire = expiryOf({ ...parts, origin: () => '' })
  const refused = (): never => {
    throw new Error('refused')
  }
  await expect(expire(refused, {})).rejects.toThrow('refused')
  expect([completed(parts).n, parts.clock.offset()]).toEqual([0, 0])

  const expiring = expire(
    () => ({ id: parts.payments.act(parts.payments.create(order).id, pay).payment.id }),
    { chaos: { badSignature: true } },
  )
  expect(completed(parts).n).toBeLessThanOrEqual(AT_ONCE)
  const { id } = await expiring
  expect(parts.store.payments.get(id)).toMatchObject({ status: 'expired' })
  expect(completed(parts).n).toBe(MANY)
  expect(parts.clock.offset()).toBeGreaterThan(23 * HOUR)
  expect(parts.clock.offset()).toBeLessThanOrEqual(24 * HOUR)
})

test('a reset deletes between other work, and the rest at the next start', async () => {
  const file = temporaryFile()
  const first = await open(file)
  const { id } = first.endpoints.create({ organizationId: first.organizationId, url: URL, mode: 'both' })
  openWindows(first)
  first.windows.advance(1)
  // The sandbox is closed while the reset goes on, as if it was killed.
  const reset = first.reset()
  while (countOf(first, 'deliveries') === MANY) await nextTurn()
  expect([countOf(first, 'payments'), countOf(first, 'endpoints')]).toEqual([MANY, 1])
  await first.close()
  await reset

  const second = await open(file)
  for (const table of ['deliveries', 'events', 'payments', 'endpoints'])
    expect(countOf(second, table)).toBe(0)
  expect([second.seed(), second.organizationId]).toEqual([first.seed(), first.organizationId])
  expect([second.clock.offset(), second.store.endpoints.get(id)]).toEqual([0, undefined])
  openWindows(second)
  await second.reset()
  expect(countOf(second, 'payments')).toBe(0)
  expect(second.store.keys.ofOrganization(second.organizationId)).toHaveLength(2)
})
