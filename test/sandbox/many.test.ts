import { expect, test } from 'vitest'
import type { Composed } from '../../sandbox/compose.ts'
import { newId } from '../../sandbox/ids.ts'
import { EVENT_NAMES } from '../../sandbox/model.ts'
import { composed, countOf, temporaryFile } from './support.ts'

const MANY = 1_000
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

test('deleting an endpoint cancels its deliveries, and a roll that fails none', async () => {
  const parts = await open()
  const { organizationId, endpoints, store } = parts
  const { id } = endpoints.create({ organizationId, url: URL, mode: 'both' })
  queue(parts, id)
  store.database.exec(
    `CREATE TRIGGER breaks BEFORE INSERT ON endpoints BEGIN SELECT raise(ABORT, 'full'); END`,
  )
  expect(() => endpoints.roll(organizationId, id)).toThrow('full')
  expect(store.endpoints.get(id)).toMatchObject({ deletedAt: null })
  expect(counted(parts, 'cancelled')).toBe(0)
  expect(endpoints.delete(organizationId, id)).toBe(true)
  expect(store.endpoints.get(id)).toMatchObject({ secret: null })
  expect(counted(parts, 'cancelled')).toBe(MANY)
})

test('a listener resumes and pauses its deliveries', async () => {
  const file = temporaryFile()
  const first = await open(file)
  const start = ({ forwards }: Composed) => forwards.start('http://127.0.0.1:1/hooks', EVENT_NAMES)
  const { endpointId, end } = start(first)
  queue(first, endpointId)
  end()
  expect(counted(first, 'paused')).toBe(MANY)
  start(first)
  expect(counted(first, 'paused')).toBe(0)
  await first.close()
  expect(counted(await open(file), 'paused')).toBe(MANY)
})

test('a move of the clock that fails or is refused changes nothing', async () => {
  const { store, clock, payments, windows, organizationId } = await open()
  const { id } = payments.create({ organizationId, mode: 'test', amount: '5', currency: 'USD' })
  payments.act(id, { type: 'pay_part', method: 'gift_card', amount: '1' })
  store.database.exec(`CREATE TRIGGER breaks BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'full'); END`)
  expect(() => windows.advance(48 * HOUR)).toThrow('full')
  expect(() => windows.advance(Number.MAX_SAFE_INTEGER)).toThrow('full')
  expect([store.payments.get(id)?.status, clock.offset()]).toEqual(['partial', 0])
  store.database.exec('DROP TRIGGER breaks')
  expect(() => windows.advance(Number.MAX_SAFE_INTEGER)).toThrow('9998')
  expect([store.payments.get(id)?.status, clock.offset()]).toEqual(['partial', 0])
  windows.advance(48 * HOUR)
  expect(store.payments.get(id)?.status).toBe('completed')
})

test('a reset empties the sandbox, and keeps its organizations', async () => {
  const parts = await open()
  const { id } = parts.endpoints.create({ organizationId: parts.organizationId, url: URL, mode: 'both' })
  queue(parts, id)
  parts.windows.advance(HOUR)
  const { seed, organizationId } = parts
  const before = seed()
  await parts.reset()
  for (const table of ['deliveries', 'events', 'payments', 'endpoints']) expect(countOf(parts, table)).toBe(0)
  expect([seed(), parts.clock.offset()]).toEqual([before, 0])
  expect(parts.store.keys.ofOrganization(organizationId)).toHaveLength(2)
})
