import { seededOrganizations } from '../../../../sandbox/service/keys.ts'
import { launchSandbox, type SandboxProcess } from '../../sandbox/process.ts'

/** A running sandbox with bot protection, and keys of every kind. */
export interface PreparedSandbox {
  readonly process: SandboxProcess
  readonly apiUrl: string
  readonly testKey: string
  readonly liveKey: string
  /** Keys without the scope of any operation that reads, and of any that writes. */
  readonly writingKey: string
  readonly readingKey: string
  readonly revokedKey: string
  /** Does what a customer or a merchant does, through the control API. */
  readonly act: (paymentId: string, action: object) => Promise<void>
  readonly advance: (ms: number) => Promise<void>
}

/** Starts the built sandbox. */
export async function startSandbox(dist: string, seed: string): Promise<PreparedSandbox> {
  const process = launchSandbox(dist, '--port', '0', '--memory', '--seed', seed, '--bot-protection')
  const url = await process.listening
  if (url === undefined) throw new Error(`the sandbox did not start: ${process.stderr().trim()}`)
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
    writingKey: await newKey('payments:write', 'webhooks:write'),
    readingKey: await newKey('payments:read', 'webhooks:read'),
    revokedKey,
    act: (paymentId, action) => control(`/payments/${paymentId}/actions`, action),
    advance: (ms) => control('/clock', { advance_ms: ms }),
  }
}
