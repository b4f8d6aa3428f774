import { expect, it } from 'vitest'
import type { SandboxOptions } from '../../../sandbox/index.ts'
import { call, sandbox } from '../support.ts'
import { dashboardOf, screen, send } from './support.ts'

/** The lines of the .env file on a screen. */
const envIn = (html: string): string[] =>
  (/aria-label="Contents of the \.env file"[^>]*>([^<]*)</.exec(html)?.[1] ?? '').split('\n')

const lineOf = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)

it('shows a working .env file for each organization', async () => {
  const on = await sandbox()
  for (const { name, testKey, webhookUrlSecret } of on.organizations) {
    const dashboard = `${on.url}/dashboard/${name.toLowerCase().replace(' ', '-')}`
    const env = envIn((await screen(dashboard)).html)
    expect(env).toEqual([
      `PAYMENT_BASE_URL=${on.apiUrl}`,
      `PAYMENT_API_KEY=${testKey}`,
      `WEBHOOK_SECRET=${webhookUrlSecret}`,
    ])
    const key = lineOf(env, 'PAYMENT_API_KEY') ?? ''
    expect((await call(on, 'GET', '/payments', { key })).status).toBe(200)
  }
})

it('leaves the key empty if no complete key is known, and never shows part of one', async () => {
  const on = await sandbox()
  const dashboard = dashboardOf(on)
  const created = await send(`${dashboard}/keys`, { mode: 'test', scopes: 'payments:read' })
  const value = /svc_test_\w{32}/.exec(created.html)?.[0] ?? ''
  const ids = [...(await screen(`${dashboard}/keys`)).html.matchAll(/id="(key_\w+)"/g)].map(([, id]) => id)
  // Newest first: the created key, then the default live key, then the default test key.
  await send(`${dashboard}/keys/${ids[2]}/revoke`)
  const { html } = await screen(dashboard)
  const env = envIn(html)
  expect(env).toContain('# Create a test key under API keys; it is shown once.')
  expect(lineOf(env, 'PAYMENT_API_KEY')).toBe('')
  expect(env.join('')).not.toContain('…')
  expect(html).toContain(`<code>${value.slice(0, 13)}…</code>`)
  expect(html).not.toContain(value)
  expect(html).not.toContain(on.testKey)
  expect(html).toContain(on.liveKey)
})

it('shows the settings that differ from their defaults', async () => {
  const settings = async (options: SandboxOptions) => {
    const { html } = await screen(dashboardOf(await sandbox(options)))
    const rows = [...html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)]
    return rows.map(([, name, text]) => `${name}: ${text}`)
  }
  expect(await settings({})).toEqual([])
  expect(
    await settings({
      schedule: 'realistic',
      ack: 'strict',
      botProtection: true,
      chaos: { duplicate: 2, badSignature: true },
    }),
  ).toEqual([
    'Chaos: duplicate=2, badSignature (every delivery)',
    'Acknowledgment: only status 200',
    'Retries: after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h',
    'Bot protection: on: a missing or automated-looking User-Agent gets 403 and error 1010',
  ])
})
