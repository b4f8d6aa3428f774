import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { compose } from '../../../sandbox/compose.ts'
import { newId } from '../../../sandbox/ids.ts'
import { resolveOptions } from '../../../sandbox/options.ts'
import { resendableIn, resentOf } from '../../../sandbox/store/resends.ts'
import { openStore, type Store } from '../../../sandbox/store/store.ts'
import { sandbox, temporaryFile } from '../support.ts'
import { dashboardOf, screen, send } from './support.ts'

const MANY = 1_000
const TO = { url: 'https://shop.example/', webhookUrl: 'https://shop.example/' }

/** Stores failed deliveries to a local port where nothing listens. */
async function withFailed(file: string, many = MANY) {
  const route = 'https://shop.example/=http://127.0.0.1:1/'
  const parts = await compose(resolveOptions({ file, routes: [route], schedule: [3_600_000] }))
  const { store, payments } = parts
  const organizationId = store.organizations.list()[0]?.id ?? ''
  const { id } = payments.create({ organizationId, mode: 'test', amount: '5', currency: 'USD' })
  const { event } = payments.act(id, { type: 'succeed' })
  const owned = { organizationId, createdAt: 0 }
  const copied = { endpointId: null, cause: 'event', body: null, chaos: null, nextAttemptAt: 0 } as const
  const failed = Array.from({ length: many }, () => newId('dlv_'))
  store.transaction(() => {
    for (const [index, delivery] of failed.entries()) {
      const eventId = newId('evt_')
      store.events.insert({ ...event, ...owned, id: eventId })
      store.deliveries.insert({ ...owned, ...copied, id: delivery, eventId, url: `${TO.url}${index}` })
    }
    store.database.exec("UPDATE deliveries SET state = 'failed', attempts = 2")
  })
  return { ...parts, organizationId, failed }
}

const resent = (store: Store): number =>
  (
    store.database.prepare("SELECT count(*) AS n FROM deliveries WHERE cause = 'redelivery'").get() as {
      n: number
    }
  ).n

it('resends many deliveries between other work, and the rest at the next start, each once', async () => {
  const file = temporaryFile()
  const first = await withFailed(file)
  const { store, organizationId, failed } = first
  const id = await first.deliveries.redeliverFailed(organizationId, { failed, failing: [] })
  const queued = resent(store)
  expect(queued).toBeGreaterThan(0)
  expect(queued).toBeLessThanOrEqual(100)
  await nextTurn()
  expect(resent(store)).toBeLessThan(MANY)
  const progress = store.resends.get(id)
  expect(progress).toEqual({ organizationId, after: MANY, total: MANY, isDone: false })
  const counts = resentOf(store.database)(organizationId, { after: MANY, total: MANY })
  expect(Object.values(counts).reduce((sum, number) => sum + number, 0)).toBe(resent(store))
  await first.close()

  const second = await compose(resolveOptions({ file, schedule: [3_600_000] }))
  onTestFinished(() => second.close())
  expect(resent(second.store)).toBeLessThan(MANY)
  await expect
    .poll(() => second.store.resends.get(id), { timeout: 10_000 })
    .toEqual({ ...progress, isDone: true })
  expect(resent(second.store)).toBe(MANY)
  const again = await second.deliveries.redeliverFailed(organizationId, { failed, failing: [] })
  await expect
    .poll(() => second.store.resends.get(again), { timeout: 10_000 })
    .toMatchObject({ total: 0, isDone: true })
  expect(resent(second.store)).toBe(MANY)
})

it('reads only a part of the deliveries at once', async () => {
  const file = temporaryFile()
  const { close, organizationId, failed } = await withFailed(file)
  await close()
  const store = await openStore(file)
  onTestFinished(() => store.close())
  const read = resendableIn(store.database)
  for (const filter of [{}, { state: 'failed' }, { mode: 'test', name: 'payment.completed' }] as const) {
    const part = { after: 100, until: 110 }
    expect(read({ organizationId, ...filter }, part)).toEqual({ failed: failed.slice(100, 110), failing: [] })
  }
  expect(read({ organizationId, state: 'delivered' }, { after: 0, until: MANY })).toMatchObject({
    failed: [],
  })
  expect(read({ organizationId, text: 'nothing' }, { after: 0, until: MANY })).toMatchObject({ failed: [] })
})

it('shows the progress of a resend after a restart, and only to its organization', async () => {
  const file = temporaryFile()
  const { close } = await withFailed(file, 250)
  await close()
  const start = () => sandbox({ file, routes: [`${TO.url}=http://127.0.0.1:1/`], schedule: [3_600_000] })
  const first = await start()
  const { location } = await send(`${dashboardOf(first)}/deliveries/resend-failed`, { confirmed: 'yes' })
  expect(location).toMatch(/[?&]resent=1$/)
  await first.close()

  const second = await start()
  // Nothing listens where they go, and the next attempt is due in an hour.
  await expect
    .poll(async () => (await screen(second.url + location)).html, { timeout: 20_000 })
    .toContain('Resent 250 deliveries: 250 failing<')
  const other = location.replace('tea-house', 'other-shop')
  expect((await screen(second.url + other)).html).not.toContain('<progress')
})
