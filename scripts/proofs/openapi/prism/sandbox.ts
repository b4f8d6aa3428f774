import { seededOrganizations } from '../../../../sandbox/service/keys.ts'
import { startSandbox } from '../../sandbox/process.ts'

/** A running sandbox with bot protection, and keys of every kind. */
export type PreparedSandbox = Awaited<ReturnType<typeof prepareSandbox>>

/** Starts the built sandbox and creates the keys. */
export async function prepareSandbox(dist: string, seed: string) {
  const process = await startSandbox(dist, ['--port', '0', '--memory', '--seed', seed, '--bot-protection'])
  const { url } = process
  const [{ testKey, liveKey } = { testKey: '', liveKey: '' }] = seededOrganizations(seed)
  const keys = `${url}/dashboard/tea-house/keys`

  async function newKey(...scopes: string[]): Promise<string> {
    const body = new URLSearchParams({ mode: 'live' })
    for (const scope of scopes) body.append('scopes', scope)
    const page = await (await fetch(keys, { method: 'POST', body })).text()
    const [key] = /svc_live_\w+/.exec(page) ?? []
    if (key === undefined) throw new Error('the dashboard did not create a key')
    return key
  }

  async function control(path: string, body: object): Promise<void> {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(`${url}/sandbox${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`/sandbox${path} answered ${response.status}: ${await response.text()}`)
  }

  const revokedKey = await newKey('payments:read')
  const [, id] = /<li class="row" id="([^"]+)">/.exec(await (await fetch(keys)).text()) ?? []
  await fetch(`${keys}/${id}/revoke`, { method: 'POST' })
  return {
    process,
    apiUrl: `${url}/v1`,
    testKey,
    liveKey,
    /** Keys without the scope of any operation that reads, and of any that writes. */
    writingKey: await newKey('payments:write', 'webhooks:write'),
    readingKey: await newKey('payments:read', 'webhooks:read'),
    revokedKey,
    /** Does what a customer or a merchant does, through the control API. */
    act: (paymentId: string, action: object) => control(`/payments/${paymentId}/actions`, action),
    advance: (ms: number) => control('/clock', { advance_ms: ms }),
  }
}
