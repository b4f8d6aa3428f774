import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { interrupted, type RunningSandbox, runSandbox, said } from './sandbox-support.ts'
import { freePort, hookproof, launch, type Running, recorder, temporaryFolder, until } from './support.ts'

/** Starts `hookproof listen`, and waits until it listens. */
async function listening(on: RunningSandbox, ...words: string[]): Promise<Running> {
  const running = launch(['listen', '--sandbox', on.url, ...words])
  await said(running, /Ctrl-C stops|"ready"/)
  return running
}

const failing = (on: RunningSandbox) => hookproof(['trigger', 'payment.failed', '--sandbox', on.url])

/** What the clean-up of a merchant's tests does. */
async function deleteAll({ apiUrl, testKey }: RunningSandbox): Promise<void> {
  const headers = { 'X-API-Key': testKey }
  const { data } = (await (await fetch(`${apiUrl}/webhooks`, { headers })).json()) as {
    data: { id: string }[]
  }
  expect(data).toHaveLength(1)
  for (const { id } of data) await fetch(`${apiUrl}/webhooks/${id}`, { method: 'DELETE', headers })
}

/** As the dashboard does. */
async function switched(on: RunningSandbox, word: 'on' | 'off'): Promise<void> {
  const page = await (await fetch(`${on.url}/dashboard/tea-house/endpoints`)).text()
  const forms = [...page.matchAll(/<form[\s\S]*?<\/form>/g)].map(([form]) => form)
  const form = forms.find((one) => one.includes(word === 'on' ? '>Enable<' : '>Disable<')) ?? ''
  const action = /action="([^"]+)"/.exec(form)?.[1]
  const fields = [...form.matchAll(/<(?:input|button)[^>]* name="([^"]+)"[^>]* value="([^"]*)"/g)]
  const body = new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]))
  expect(action).toBeDefined()
  const headers = { Origin: on.url }
  const sent = { method: 'POST', body, headers, redirect: 'manual' } as const
  expect((await fetch(new URL(action ?? '', on.url), sent)).status).toBe(303)
}

describe('hookproof listen is never deaf in silence', { timeout: 60_000 }, () => {
  it('says that its endpoint was deleted, and gets another', async () => {
    const on = await runSandbox()
    const { url, seen } = await recorder()
    const listen = await listening(on, '--forward-to', url)
    await deleteAll(on)
    await said(
      listen,
      /Someone deleted the endpoint of this listener: it gets another\.\nConnected to \S+ again\.\n$/,
    )
    await failing(on)
    await until(() => seen.length === 1)
  })

  it('tells so as JSON', async () => {
    const on = await runSandbox()
    const listen = await listening(on, '--forward-to', (await recorder()).url, '--format', 'json')
    await deleteAll(on)
    await said(listen, /\n.*\n.*"ready".*\n$/)
    const lines = listen.stdout().trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { type: 'ready', secret: on.secret },
      { type: 'gone', why: 'deleted' },
      { type: 'ready', secret: on.secret },
    ])
  })

  it('says that its endpoint was switched off, and on again', async () => {
    const on = await runSandbox()
    const { url, seen } = await recorder()
    const listen = await listening(on, '--forward-to', url)
    await switched(on, 'off')
    await said(listen, /\nSomeone switched off the endpoint of this listener, we_\w+: nothing comes/)
    await failing(on)
    await switched(on, 'on')
    await said(listen, /\nThe endpoint of this listener is switched on again\.\n$/)
    await failing(on)
    await until(() => seen.length === 1)
  })

  it('shows the secret of a sandbox that was begun anew, and that the connection was lost', async () => {
    const port = String(await freePort())
    const file = join(temporaryFolder(), 'sandbox.sqlite')
    const first = await runSandbox('--file', file, '--port', port)
    const listen = await listening(first, '--forward-to', (await recorder()).url)
    await first.stop()
    await said(listen, /\nThe connection to \S+ is lost: nothing comes until/)
    const second = await runSandbox('--file', file, '--port', port, '--reset')
    await said(listen, /\nConnected to .*\n$/)
    expect(second.secret).not.toBe(first.secret)
    expect(listen.stdout().trimEnd().split('\n').slice(1)).toEqual([
      expect.stringMatching(/is lost/),
      `Connected to ${first.url} again. The signing secret is another now, and the receiver needs it: ${second.secret}`,
    ])
  })

  it('goes on when another listener for the same receiver ends', async () => {
    const on = await runSandbox()
    const { url, seen } = await recorder()
    await listening(on, '--forward-to', url)
    const other = await listening(on, '--forward-to', url)
    expect(await interrupted(other)).toBe(0)
    await failing(on)
    await until(() => seen.length === 1)
  })
})
