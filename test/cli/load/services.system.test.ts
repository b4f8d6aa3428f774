import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { correct, SECRETS, type Service, serving } from '../../conformance/services/receiver.ts'
import { hookproof, recorder } from '../support.ts'

const load = (service: Service, url: string, ...more: string[]) =>
  hookproof(['load', url, '--service', service, '--duration', '0.3', '--connections', '2', ...more], {
    env: { HOOKPROOF_SECRET: SECRETS[service] },
  })

describe.each(Object.keys(SECRETS) as Service[])('hookproof load --service %s', (service) => {
  test('sends deliveries that a correct receiver accepts, with and without duplicates', async () => {
    const { code, stdout, stderr } = await serving(service, correct(service), (url) =>
      load(service, url, '--duplicates', '90', '--json'),
    )
    expect(stderr).toBe('')
    const { answered, repeated, statuses } = JSON.parse(stdout)
    // How many there are depends on the machine; nearly all of them are repeated.
    expect(answered).toBeGreaterThan(1)
    expect(repeated).toBeGreaterThan(0)
    expect(Object.keys(statuses).every((status) => Number(status) < 300)).toBe(true)
    expect(code).toBe(0)
  })
})

test('each delivery has new ids, and any status from 200 to 299 counts as accepted', async () => {
  const { url, seen } = await recorder((_, response) => response.writeHead(204).end())
  expect((await load('stripe', url, '--event', 'charge-refunded')).code).toBe(0)
  const events = seen.map(
    ({ body }) => JSON.parse(body) as { id: string; type: string; data: { object: { id: string } } },
  )
  expect(events.length).toBeGreaterThan(1)
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(new Set(events.map(({ data }) => data.object.id)).size).toBe(events.length)
  for (const { id, type, data } of events) {
    expect(type).toBe('charge.refunded')
    expect(`${id} ${data.object.id}`).toMatch(/^evt_\w{24} ch_\w{24}$/)
  }
})

test('the id and the time have their own headers, and are signed as they are sent', async () => {
  const { url, seen } = await recorder()
  expect((await load('standard-webhooks', url)).code).toBe(0)
  const key = Buffer.from(SECRETS['standard-webhooks'].slice('whsec_'.length), 'base64')
  const ids = seen.map(({ body, headers }) => {
    const [id, t] = [headers['webhook-id'], headers['webhook-timestamp']]
    const signature = createHmac('sha256', key)
      .update(`${String(id)}.${String(t)}.${body}`)
      .digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(30)
    return id
  })
  expect(new Set(ids).size).toBe(seen.length)
})

test('exits with 1 when a receiver refuses', async () => {
  const { url } = await recorder((_, response) => response.writeHead(400).end())
  expect((await load('github', url)).code).toBe(1)
})

test.each<[string, Service, readonly string[], string]>([
  [
    'an unknown sample',
    'github',
    ['--event', 'nothing'],
    '--event: GitHub has no sample nothing; choose from push',
  ],
  ['a secret of another form', 'standard-webhooks', ['--secret', 'plain text!'], '--secret must be base64'],
])('refuses %s in one line', async (_, service, more, message) => {
  const { code, stderr } = await load(service, 'http://127.0.0.1:9/', ...more)
  expect(stderr).toContain(message)
  expect(stderr).toMatch(/^hookproof: [^\n]* \[bad_option\]\n$/)
  expect(code).toBe(2)
})

test.each([
  [['http://127.0.0.1:9/', '--event', 'push'], '--event has no use for the payment service'],
  [['http://127.0.0.1:9/', '--service', 'git'], '--service is not known: git'],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await hookproof(['load', ...args])
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})
