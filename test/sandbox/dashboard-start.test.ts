import { expect, it } from 'vitest'
import type { SandboxOptions } from '../../sandbox/index.ts'
import { deskOf, screen, send } from './dashboard-support.ts'
import { call, sandbox } from './support.ts'

/** The lines of the `.env` that a screen shows. */
const envIn = (html: string): string[] =>
  (/aria-label="Contents of the file \.env"[^>]*>([^<]*)</.exec(html)?.[1] ?? '').split('\n')

const lineOf = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)

it('has a .env that works as it stands, for each organization', async () => {
  const on = await sandbox()
  for (const { name, testKey, webhookUrlSecret } of on.organizations) {
    const desk = `${on.url}/dashboard/${name.toLowerCase().replace(' ', '-')}`
    const env = envIn((await screen(desk)).html)
    expect(env).toEqual([
      `PAYMENT_BASE_URL=${on.apiUrl}`,
      `PAYMENT_API_KEY=${testKey}`,
      `WEBHOOK_SECRET=${webhookUrlSecret}`,
    ])
    const key = lineOf(env, 'PAYMENT_API_KEY') ?? ''
    expect((await call(on, 'GET', '/payments', { key })).status).toBe(200)
  }
})

it('leaves the key open when none is known whole, and never writes half of one', async () => {
  const on = await sandbox()
  const desk = deskOf(on)
  const made = await send(`${desk}/keys`, { mode: 'test', scopes: 'payments:read' })
  const value = /svc_test_\w{32}/.exec(made.html)?.[0] ?? ''
  const ids = [...(await screen(`${desk}/keys`)).html.matchAll(/id="(key_\w+)"/g)].map(([, id]) => id)
  // The newest comes first: the one just made, then the live key, then the test key that it began with.
  await send(`${desk}/keys/${ids[2]}/revoke`)
  const { html } = await screen(desk)
  const env = envIn(html)

  expect(env).toContain('# Make a test key under Keys: it is shown once.')
  expect(lineOf(env, 'PAYMENT_API_KEY')).toBe('')
  expect(env.join('')).not.toContain('…')
  expect(html).toContain(`<code>${value.slice(0, 13)}…</code>`)
  expect(html).not.toContain(value)
  expect(html).not.toContain(on.testKey)
  expect(html).toContain(on.liveKey)
})

it('says how it was started, where that is not as by itself', async () => {
  const unusual = async (options: SandboxOptions) => {
    const { html } = await screen(deskOf(await sandbox(options)))
    const rows = [...html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)]
    return rows.map(([, name, text]) => `${name}: ${text}`)
  }
  expect(await unusual({})).toEqual([])
  expect(
    await unusual({
      schedule: 'realistic',
      ack: 'strict',
      botProtection: true,
      chaos: { duplicate: 2, badSignature: true },
    }),
  ).toEqual([
    'Chaos: duplicate=2, badSignature: in every delivery',
    'Acknowledged: by status 200 alone',
    'Retries: after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h',
    'Bot protection: on: a User-Agent that is missing or looks automated gets 403 and error 1010',
  ])
})
