import { expect, test } from 'vitest'
import type { Scope } from '../../../sandbox/model.ts'
import { until } from '../../support/until.ts'
import { served } from '../support.ts'

/** The parts of a sandbox behind a server, to create keys as the dashboard does. */
async function parts() {
  const running = await served({ seed: 'keys' })
  const get = async (key: string, path = '/webhooks', method = 'GET', body?: object) => {
    const response = await fetch(`${running.origin}/v1${path}`, {
      method,
      headers: { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }
  return { ...running, get }
}

test('rejects a revoked key with 401 REVOKED_API_KEY; other keys still work (5.1)', async () => {
  const { keys, organizationId, get } = await parts()
  const old = keys.create({ organizationId, mode: 'test' })
  const next = keys.create({ organizationId, mode: 'test' })
  expect((await get(old.value)).status).toBe(200)
  expect(keys.revoke(organizationId, old.id)).toBe(true)
  expect(keys.revoke(organizationId, old.id)).toBe(false)
  expect(await get(old.value)).toMatchObject({ status: 401, json: { code: 'REVOKED_API_KEY' } })
  expect((await get(next.value)).status).toBe(200)
})

test('another organization cannot revoke a key', async () => {
  const { keys, organizationId, store } = await parts()
  const key = keys.create({ organizationId, mode: 'test' })
  const other = store.organizations.list()[1]?.id ?? ''
  expect(keys.revoke(other, key.id)).toBe(false)
})

test.each<[Scope, string, string]>([
  ['webhooks:read', 'GET', '/webhooks'],
  ['webhooks:read', 'GET', '/webhooks/we_1'],
  ['webhooks:write', 'POST', '/webhooks'],
  ['webhooks:write', 'DELETE', '/webhooks/we_1'],
  ['payments:read', 'GET', '/payments'],
  ['payments:read', 'GET', '/payments/tx_1'],
  ['payments:write', 'POST', '/payments'],
  ['payments:write', 'POST', '/payments/tx_1/resend-webhook'],
])(
  'a key without the scope %s gets 403 for %s %s; a key with only that scope does not (5.4)',
  async (scope, method, path) => {
    const { keys, organizationId, get } = await parts()
    const all: Scope[] = ['webhooks:read', 'webhooks:write', 'payments:read', 'payments:write']
    const others = all.filter((other) => other !== scope)
    const without = keys.create({ organizationId, mode: 'live', scopes: others })
    const refused = await get(without.value, path, method)
    const error = `This API key does not have the scope ${scope}.`
    expect(refused).toEqual({ status: 403, json: { error } })
    const only = keys.create({ organizationId, mode: 'live', scopes: [scope] })
    expect((await get(only.value, path, method)).status).not.toBe(403)
  },
)

test('stores only a hash of a key, and logs neither keys nor signing secrets', async () => {
  const { keys, organizationId, store, get } = await parts()
  const key = keys.create({ organizationId, mode: 'live' })
  expect(key.value).toMatch(/^svc_live_[A-Za-z0-9]{32}$/)
  expect(key.shown).toBe(`${key.value.slice(0, 13)}…`)
  await get(key.value)
  await get('svc_live_nobody')
  const created = await get(key.value, '/webhooks', 'POST', { url: 'https://shop.example/' })
  await until(() => store.log.list({ organizationId, limit: 10 }).length === 3)
  const logged = store.log.list({ organizationId, limit: 10 })
  const everything = JSON.stringify([store.keys.ofOrganization(organizationId), logged])
  expect(everything).not.toContain(key.value)
  expect(everything).not.toContain(created.json['secret'])
  expect(everything).toContain(created.json['id'])
  const first = { method: 'GET', path: '/v1/webhooks', status: 200, keyId: key.id }
  expect(logged[2]).toMatchObject(first)
})
