import { expect, it } from 'vitest'
import { deskOf, screen, send } from './dashboard-support.ts'
import { call, sandbox } from './support.ts'

/** The lines of the `.env` that a screen shows. */
const envIn = (html: string): string[] =>
  (/aria-label="Contents of the file \.env"[^>]*>([^<]*)</.exec(html)?.[1] ?? '').split('\n')

const lineOf = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)

it('has a .env that works as it stands, for each organisation', async () => {
  const on = await sandbox()
  for (const { name, testKey, webhookUrlSecret } of on.organisations) {
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

it('says that automated callers are turned away, when they are', async () => {
  const text = 'error 1010'
  expect((await screen(deskOf(await sandbox({ botProtection: true })))).html).toContain(text)
  expect((await screen(deskOf(await sandbox()))).html).not.toContain(text)
})
