import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { seededOrganizations } from '../../../sandbox/service/keys.ts'
import { call, composed, control, sandbox, served, temporaryFile } from '../support.ts'

test('changes a payment, stores its event and queues its deliveries atomically', async () => {
  const { store, payments, organizationId } = await composed()
  const given = { organizationId, mode: 'test', amount: '5', currency: 'USD' } as const
  const { id } = payments.create({ ...given, webhookUrl: 'https://shop.example/' })

  store.database.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON deliveries BEGIN SELECT raise(ABORT, 'full'); END",
  )
  expect(() => payments.act(id, { type: 'succeed' })).toThrow('full')
  expect(store.payments.get(id)?.status).toBe('pending')
  expect(store.events.ofPayment(id)).toEqual([])

  store.database.exec('DROP TRIGGER broken')
  const { event } = payments.act(id, { type: 'succeed' })
  expect(store.payments.get(id)?.status).toBe('completed')
  expect(store.events.ofPayment(id)).toEqual([{ ...event, body: expect.anything() }])
  expect(store.deliveries.ofEvent(event.id)).toHaveLength(1)
})

test('responds 500 when a commit fails, and publishes nothing', async () => {
  const { failures, origin, ...parts } = await served({ seed: 'broken' })
  const changes: string[] = []
  parts.feed.subscribe(({ kind }) => {
    if (kind !== 'call') changes.push(kind)
  })
  const { testKey = '' } = seededOrganizations('broken')[0] ?? {}
  const headers = { 'X-API-Key': testKey, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ amount: '5', currency: 'USD' })
  const create = async () => {
    const { status } = await fetch(`${origin}/v1/payments`, { method: 'POST', headers, body })
    return status
  }

  // Every statement succeeds, and then the commit fails.
  parts.store.database.exec(`
    CREATE TABLE broken (id TEXT REFERENCES organizations (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER breaks AFTER INSERT ON payments BEGIN INSERT INTO broken VALUES ('none'); END`)
  expect(await Promise.all([create(), create()])).toEqual([500, 500])
  expect([failures.length, changes]).toEqual([2, []])

  parts.store.database.exec('DROP TRIGGER breaks')
  expect(await create()).toBe(201)
  expect(changes).toEqual(['payment'])
})

test('deleting an endpoint cancels its queued deliveries and destroys its secret at once (4.4)', async () => {
  const { store, payments, endpoints, organizationId } = await composed()
  const { id } = endpoints.create({ organizationId, url: 'https://shop.example/', mode: 'both' })
  const given = { organizationId, mode: 'test', amount: '5', currency: 'USD' } as const
  const { event } = payments.act(payments.create(given).id, { type: 'succeed' })
  expect(store.deliveries.ofEvent(event.id)).toMatchObject([{ state: 'pending', endpointId: id }])
  endpoints.delete(organizationId, id)
  expect(store.deliveries.ofEvent(event.id)).toMatchObject([{ state: 'cancelled' }])
  expect(store.endpoints.get(id)).toMatchObject({ secret: null, isEnabled: false })
})

test('every acknowledged payment survives a kill of the process', async () => {
  const file = temporaryFile()
  const script = fileURLToPath(new URL('./run.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { apiUrl, testKey } = JSON.parse(line) as { apiUrl: string; testKey: string }

  const acknowledged: string[] = []
  const body = JSON.stringify({ amount: '5', currency: 'USD' })
  const headers = { 'X-API-Key': testKey, 'Content-Type': 'application/json' }
  const merchant = async () => {
    for (;;) {
      const response = await fetch(`${apiUrl}/payments`, { method: 'POST', headers, body })
      acknowledged.push(((await response.json()) as { id: string }).id)
      if (acknowledged.length === 60) child.kill('SIGKILL')
    }
  }
  await Promise.allSettled(Array.from({ length: 8 }, merchant))
  expect(acknowledged.length).toBeGreaterThanOrEqual(60)

  const after = await sandbox({ file })
  expect(after.testKey).toBe(testKey)
  for (const id of acknowledged) expect((await call(after, 'GET', `/payments/${id}`)).status).toBe(200)
})

test('trigger payment.expired changes nothing if its event cannot be stored', async () => {
  const { failures, ...parts } = await served()
  const changes: string[] = []
  parts.feed.subscribe(({ kind }) => changes.push(kind))
  const trigger = async () => {
    const steps = [{ type: 'pay_part', method: 'gift_card' }]
    const payment = { amount: '1', currency: 'USD' }
    const body = { event: 'payment.expired', fields: {}, payment, steps }
    const response = await control({ url: parts.origin }, '/events', body)
    return [response.status, await response.text()]
  }
  const count = () => parts.store.database.prepare('SELECT count(*) AS n FROM events').get()

  parts.store.database.exec(
    `CREATE TRIGGER breaks BEFORE INSERT ON events WHEN new.name = 'payment.expired'
      BEGIN SELECT raise(ABORT, 'full'); END`,
  )
  expect(await trigger()).toEqual([500, expect.anything()])
  expect([failures.length, count(), changes]).toEqual([1, { n: 0 }, []])

  parts.store.database.exec('DROP TRIGGER breaks')
  expect(await trigger()).toEqual([201, expect.anything()])
  expect([count(), parts.clock.offset()]).toEqual([{ n: 2 }, 0])
})
