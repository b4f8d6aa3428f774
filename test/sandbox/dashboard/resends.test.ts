import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Composed } from '../../../sandbox/compose.ts'
import { newId } from '../../../sandbox/ids.ts'
import { recipients } from '../../../sandbox/store/health.ts'
import { resendableIn } from '../../../sandbox/store/resends.ts'
import { openStore } from '../../../sandbox/store/store.ts'
import { enqueue } from '../deliveries/fill.ts'
import { storeWith } from '../deliveries/support.ts'
import { composed, countOf, endpoint, listen, payment, receiver, sandbox, temporaryFile } from '../support.ts'
import { countsIn, dashboardOf, delivered, screen, send } from './support.ts'

const events = (html: string): string[] => [
  ...new Set([...html.matchAll(/id="(evt_\w+)"/g)].map(([, id]) => id ?? '')),
]

it('shows a delivery that failed and is due again as failing, in the filter and in the counts', async () => {
  const { on, event, dashboard } = await delivered(() => 500)
  const shows = async (state: string) => events((await screen(`${dashboard}/events?state=${state}`)).html)
  expect(await shows('failing')).toEqual([event.id])
  expect(await shows('pending')).toEqual([])
  expect(await shows('failed')).toEqual([])
  expect(countsIn((await screen(dashboard)).html)).toEqual(['0 delivered', '1 failing'])
  on.advance(3_600_000 * 2)
  await on.idle()
  expect(await shows('failing')).toEqual([])
  expect(await shows('failed')).toEqual([event.id])
  expect(countsIn((await screen(dashboard)).html)).toEqual(['0 delivered', '1 failed'])
})

it('retries failing deliveries with the failed ones', async () => {
  let status = 500
  const { on, got, dashboard } = await delivered(() => status)
  status = 200
  const { location } = await send(`${dashboard}/deliveries/resend-failed`)
  await on.idle()
  expect((await screen(on.url + location)).html).toContain('Retrying 1 failing delivery now.')
  expect(got).toHaveLength(2)
})

it('asks before it resends more than 10 deliveries, shows progress, and repeats nothing on reload', async () => {
  let status = 500
  const { got, route } = await receiver(() => status)
  const on = await sandbox({ routes: [route], schedule: [] })
  await endpoint(on, { url: 'https://shop.example/webhooks', mode: 'test' })
  for (let made = 0; made < 11; made += 1) on.act(await payment(on), { type: 'fail' })
  await on.idle()
  const action = `${dashboardOf(on)}/deliveries/resend-failed`
  const asked = await send(action)
  expect([asked.status, asked.html.includes('11 failed deliveries')]).toEqual([200, true])
  await on.idle()
  expect(got).toHaveLength(11)
  status = 200
  const { location } = await send(action, { confirmed: 'yes' })
  await on.idle()
  for (let load = 0; load < 2; load += 1) {
    const { html } = await screen(on.url + location)
    expect(html).toContain('Resending 11 failed deliveries.')
    expect(html).toContain('Resent 11 deliveries: 11 delivered')
    expect(html).toContain('<progress id="resent" max="11" value="11">')
  }
  expect(got).toHaveLength(22)
})

it('resends selected events', async () => {
  const { on, got, event, dashboard } = await delivered()
  const { location } = await send(`${dashboard}/events/resend-selected`, [
    ['event', event.id],
    ['event', 'evt_unknown'],
  ])
  await on.idle()
  expect((await screen(on.url + location)).html).toContain('Resending to 1 recipient.')
  expect(got).toHaveLength(2)
})

it('pauses deliveries while hookproof listen is not running, and continues them', async () => {
  const on = await sandbox({ schedule: [60_000] })
  let status = 500
  const { got, to } = await receiver(() => status)
  const first = await listen(on, `${to}webhooks`)
  on.act(await payment(on), { type: 'fail' })
  await on.idle()
  first.stop()
  const list = async (state: string) => (await screen(`${dashboardOf(on)}/events?state=${state}`)).html
  await expect.poll(() => list('paused')).toContain('hookproof listen is not running')
  expect((await screen(dashboardOf(on))).html).toContain('>hookproof listen is not running<')
  on.advance(120_000)
  await on.idle()
  expect(got).toHaveLength(1)
  status = 200
  const second = await listen(on, `${to}webhooks`)
  await expect.poll(() => got.length).toBe(2)
  await on.idle()
  second.stop()
  expect(await list('delivered')).toContain('(hookproof listen)')
})

/** A sandbox whose only delivery has failed, and whose receiver is then repaired. */
async function failed() {
  let status = 500
  const { route } = await receiver(() => status)
  const on = await sandbox({ routes: [route], schedule: [] })
  const { id: endpointId } = await endpoint(on, { url: 'https://shop.example/webhooks', mode: 'test' })
  const paymentId = await payment(on)
  const { event } = on.act(paymentId, { type: 'succeed' })
  await on.idle()
  const dashboard = dashboardOf(on)
  return { on, event, endpointId, dashboard, answer: (other: number) => void (status = other) }
}

const tabIn = (html: string) => />failed <span class="tally">(\d+)</.exec(html)?.[1]

it('no longer counts and lists a failed delivery whose resend was delivered', async () => {
  const { on, event, endpointId, dashboard, answer } = await failed()
  const listed = async () => (await screen(`${dashboard}/events?state=failed`)).html.includes(event.id)
  const resend = async () => {
    const { location } = await send(`${dashboard}/deliveries/resend-failed`)
    await on.idle()
    return (await screen(on.url + location)).html
  }
  expect([await listed(), tabIn((await screen(`${dashboard}/events`)).html)]).toEqual([true, '1'])
  // A resend that fails resolves nothing.
  await resend()
  expect(await listed()).toBe(true)
  answer(200)
  const html = await resend()
  expect(html).toContain('Resending 1 failed delivery.')
  expect([await listed(), tabIn(html)]).toEqual([false, '0'])
  expect(html.match(/<span class="badge neutral">failed, resent<\/span>/g)).toHaveLength(2)
  expect(countsIn((await screen(dashboard)).html)).toEqual(['1 delivered'])
  expect((await screen(`${dashboard}/endpoints/${endpointId}`)).html).not.toContain('Resend failed')
  expect(await resend()).toContain('No failed deliveries to resend.')
})

it('does not take an edited body that was delivered for a resend', async () => {
  const { on, event, dashboard, answer } = await failed()
  const { html } = await screen(`${dashboard}/events/${event.id}`)
  const id = /id="(dlv_\w+)"/.exec(html)?.[1]
  answer(200)
  await send(`${dashboard}/deliveries/${id}/send-edited`, { body: '{}' })
  await on.idle()
  expect(tabIn((await screen(`${dashboard}/events`)).html)).toBe('1')
})

it('resolves a delivery that fails after its resend was delivered', async () => {
  let status = 500
  const { on, event, dashboard } = await delivered(() => status)
  status = 200
  await send(`${dashboard}/events/resend-selected`, { event: event.id })
  await on.idle()
  status = 500
  on.advance(3_600_000 * 2)
  await on.idle()
  const { html } = await screen(`${dashboard}/events`)
  expect([tabIn(html), html.includes('failed, resent')]).toEqual(['0', true])
})

const MANY = 1_000
const TO = { url: 'https://shop.example/', webhookUrl: 'https://shop.example/' }

/** Stores failed deliveries to a local port where nothing listens. */
async function withFailed(file: string, many = MANY) {
  const route = 'https://shop.example/=http://127.0.0.1:1/'
  const parts = await composed({ file, routes: [route], schedule: [3_600_000] })
  const { store, payments, organizationId } = parts
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
  return { ...parts, failed }
}

const resent = (parts: Pick<Composed, 'store'>) => countOf(parts, "deliveries WHERE cause = 'redelivery'")

it('resends many deliveries between other work, each once', async () => {
  const parts = await withFailed(temporaryFile())
  const { deliveries, organizationId, failed } = parts
  const id = deliveries.redeliverFailed(organizationId, { failed, failing: [] })
  // As after a double click.
  const again = deliveries.redeliverFailed(organizationId, { failed, failing: [] })
  await nextTurn()
  expect(resent(parts)).toBeGreaterThan(0)
  expect(resent(parts)).toBeLessThan(MANY)
  const { total, counts } = deliveries.progressOf(id, organizationId) ?? {}
  expect(total).toBe(MANY)
  expect(Object.values(counts ?? {}).reduce((sum, number) => sum + number, 0)).toBe(resent(parts))
  await expect.poll(() => deliveries.progressOf(again, organizationId), { timeout: 10_000 }).toBeUndefined()
  expect(deliveries.progressOf(id, organizationId)?.total).toBe(MANY)
  expect(resent(parts)).toBe(MANY)
})

it('stops between other work when the sandbox is closed, and what is left has still failed', async () => {
  const file = temporaryFile()
  const first = await withFailed(file)
  first.deliveries.redeliverFailed(first.organizationId, { failed: first.failed, failing: [] })
  await first.close()
  const second = await composed({ file, schedule: [3_600_000] })
  expect(resent(second)).toBeLessThan(MANY)
  const { organizationId } = second
  const { failed } = resendableIn(second.store.database, { organizationId }, { after: 0, until: MANY })
  expect(failed).toHaveLength(MANY - resent(second))
})

it('reads only a part of the deliveries at once', async () => {
  const file = temporaryFile()
  const { close, organizationId, failed } = await withFailed(file)
  await close()
  const store = await openStore(file)
  onTestFinished(() => store.close())
  for (const filter of [{}, { state: 'failed' }, { mode: 'test', name: 'payment.completed' }] as const) {
    const part = { after: 100, until: 110 }
    expect(resendableIn(store.database, { organizationId, ...filter }, part)).toEqual({
      failed: failed.slice(100, 110),
      failing: [],
    })
  }
  for (const filter of [{ state: 'delivered' }, { text: 'nothing' }] as const) {
    expect(
      resendableIn(store.database, { organizationId, ...filter }, { after: 0, until: MANY }),
    ).toMatchObject({ failed: [] })
  }
})

it('shows the progress of a resend only to its organization', async () => {
  const file = temporaryFile()
  const { close } = await withFailed(file, 250)
  await close()
  const on = await sandbox({ file, routes: [`${TO.url}=http://127.0.0.1:1/`], schedule: [3_600_000] })
  const { location } = await send(`${dashboardOf(on)}/deliveries/resend-failed`, { confirmed: 'yes' })
  expect(location).toMatch(/[?&]resent=1$/)
  // Nothing listens where they go, and the next attempt is due in an hour.
  await expect
    .poll(async () => (await screen(on.url + location)).html, { timeout: 20_000 })
    .toContain('Resent 250 deliveries: 250 failing<')
  const other = location.replace('tea-house', 'other-shop')
  expect((await screen(on.url + other)).html).not.toContain('<progress')
})

it('counts all deliveries of a recipient, however many there are', async () => {
  const store = await storeWith()
  store.transaction(() => {
    for (let made = 0; made < 1100; made += 1) enqueue(store)
    enqueue(store, { url: 'https://other.example/' })
  })
  expect(recipients(store.database)('org_one')).toMatchObject([
    { url: 'https://other.example/', pending: 1, failing: 0, delivered: 0 },
    { url: 'https://shop.example/hooks', pending: 1100, failed: 0, paused: 0, last: null },
  ])
})
