import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort, hookproof, type Running, recorder, start, temporaryFolder, until } from '../support.ts'
import { interrupted, printed, type RunningSandbox, startSandbox } from './support.ts'

/** Starts `hookproof listen`, and waits until it listens. */
async function listening(on: RunningSandbox, ...words: string[]): Promise<Running> {
  const running = start(['listen', '--sandbox', on.url, ...words])
  await printed(running, /Ctrl-C to stop|"ready"/)
  return running
}

const failing = (on: RunningSandbox) => hookproof(['trigger', 'payment.failed', '--sandbox', on.url])

/** As the clean-up of a merchant's tests does. */
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
  const form = forms.find((candidate) => candidate.includes(word === 'on' ? '>Enable<' : '>Disable<')) ?? ''
  const action = /action="([^"]+)"/.exec(form)?.[1]
  const fields = [...form.matchAll(/<(?:input|button)[^>]* name="([^"]+)"[^>]* value="([^"]*)"/g)]
  const body = new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]))
  expect(action).toBeDefined()
  const headers = { Origin: on.url }
  const sent = { method: 'POST', body, headers, redirect: 'manual' } as const
  expect((await fetch(new URL(action ?? '', on.url), sent)).status).toBe(303)
}

describe('hookproof listen reports what stops deliveries', { timeout: 60_000 }, () => {
  it('prints that its endpoint was deleted, and registers a new one', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    const listen = await listening(on, '--forward-to', url)
    await deleteAll(on)
    await printed(listen, /Listener endpoint was deleted; registering a new one\.\nReconnected to \S+\.\n$/)
    await failing(on)
    await until(() => seen.length === 1)
  })

  it('prints the same as JSON', async () => {
    const on = await startSandbox()
    const listen = await listening(on, '--forward-to', (await recorder()).url, '--format', 'json')
    await deleteAll(on)
    await printed(listen, /\n.*\n.*"ready".*\n$/)
    const lines = listen.stdout().trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { type: 'ready', secret: on.secret },
      { type: 'gone', why: 'deleted' },
      { type: 'ready', secret: on.secret },
    ])
  })

  it('prints that its endpoint was disabled and enabled again', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    const listen = await listening(on, '--forward-to', url)
    await switched(on, 'off')
    await printed(listen, /\nListener endpoint we_\w+ was disabled: nothing is delivered/)
    await failing(on)
    await switched(on, 'on')
    await printed(listen, /\nListener endpoint was enabled again\.\n$/)
    await failing(on)
    await until(() => seen.length === 1)
  })

  it('prints that the connection was lost, and the new secret of a sandbox that was reset', async () => {
    const port = String(await freePort())
    const file = join(temporaryFolder(), 'sandbox.sqlite')
    const first = await startSandbox('--file', file, '--port', port)
    const listen = await listening(first, '--forward-to', (await recorder()).url)
    await first.stop()
    await printed(listen, /\nLost the connection to \S+: nothing is delivered until/)
    const second = await startSandbox('--file', file, '--port', port, '--reset')
    await printed(listen, /\nReconnected to .*\n$/)
    expect(second.secret).not.toBe(first.secret)
    expect(listen.stdout().trimEnd().split('\n').slice(1)).toEqual([
      expect.stringMatching(/^Lost the connection/),
      `Reconnected to ${first.url}. The signing secret has changed: set the receiver's to ${second.secret}`,
    ])
  })

  it('prints how many events occurred while it was stopped, and sends them on a resend', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    const first = await listening(on, '--forward-to', url)
    expect(await interrupted(first)).toBe(0)
    const { stdout } = await failing(on)
    const event = /evt_\w+/.exec(stdout)?.[0] ?? ''
    expect((await hookproof(['trigger', 'payment.refunded', '--sandbox', on.url])).code).toBe(1)
    const again = await listening(on, '--forward-to', url)
    // The refunded payment was completed before.
    expect(again.stdout()).toContain(
      '\n3 events occurred meanwhile and were not sent. To send them, start with --backfill, or resend them on',
    )
    await hookproof(['events', 'resend', event, '--sandbox', on.url])
    await until(() => seen.length === 1)
    expect(await interrupted(again)).toBe(0)
    const last = await listening(on, '--forward-to', url)
    expect(last.stdout()).not.toContain('meanwhile')
  })

  it('does not print attempts of earlier runs when it continues their delivery', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder((_, response) => response.writeHead(500).end())
    const first = await listening(on, '--forward-to', url)
    await failing(on)
    await printed(first, /<-- .* 500/)
    expect(await interrupted(first)).toBe(0)
    const before = seen.length
    const again = await listening(on, '--forward-to', url)
    await printed(again, /<-- /)
    const [line] = /.*<-- .*/.exec(again.stdout()) ?? []
    expect(line).toContain(`attempt ${before + 1} `)
  })

  it('continues when another listener for the same receiver ends', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    await listening(on, '--forward-to', url)
    const other = await listening(on, '--forward-to', url)
    expect(await interrupted(other)).toBe(0)
    await failing(on)
    await until(() => seen.length === 1)
  })
})

describe('hookproof listen forwards', { timeout: 60_000 }, () => {
  it('sends the Host of the receiver, since frameworks refuse others', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    await listening(on, '--forward-to', url)
    await failing(on)
    await until(() => seen.length === 1)
    expect(seen[0]?.headers['host']).toBe(new URL(url).host)
  })

  it('takes a URL without a scheme as http, and refuses one that is none in one line', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    const listen = await listening(on, '--forward-to', `${url.replace('http://127.0.0.1', 'localhost')}/hook`)
    await failing(on)
    await until(() => seen.length === 1)
    expect(seen[0]?.url).toBe('/hook')
    expect(listen.stdout()).toContain(' to http://localhost:')
    const { code, stderr } = await hookproof(['listen', '--forward-to', 'ftp://localhost/'])
    expect(stderr).toMatch(/^hookproof: --forward-to must be an http or https URL [^\n]+ \[bad_option\]\n$/)
    expect(code).toBe(2)
  })

  it('adds header lines, and no page shows their values', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    const password = 'Bearer of-a-staging-server'
    const headers = ['--header', `Authorization: ${password}`, '--header', 'user-agent: mine']
    await listening(on, '--forward-to', url, ...headers)
    const { stdout } = await failing(on)
    await until(() => seen.length === 1)
    expect(seen[0]?.headers).toMatchObject({ authorization: password, 'user-agent': 'mine' })
    const event = `${on.url}/dashboard/tea-house/events/${/evt_\w+/.exec(stdout)?.[0]}`
    let page = ''
    // The attempt is on the page once its answer has arrived, a moment after the receiver saw the request.
    await until(async () => (page = await (await fetch(event)).text()).includes('[not shown]'))
    expect(page).not.toContain(password)
  })

  it('sends every event to each of several receivers, and retries each by itself', async () => {
    const on = await startSandbox()
    const [one, other] = [await recorder(), await recorder((_, response) => response.writeHead(500).end())]
    const listen = await listening(on, '--forward-to', one.url, '--forward-to', other.url)
    await printed(listen, new RegExp(`to ${other.url}, signed`))
    await failing(on)
    await until(() => other.seen.length === 2)
    expect(one.seen).toHaveLength(1)
    await printed(listen, new RegExp(`<-- payment\\.failed +tx_\\w+ {2}${one.url} {2}200 in`))
    await printed(listen, new RegExp(`<-- payment\\.failed +tx_\\w+ {2}${other.url} {2}500 in`))
  })

  it('sends with --backfill what the receiver has not been sent, once and in order', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    const first = await listening(on, '--forward-to', url)
    await failing(on)
    await until(() => seen.length === 1)
    expect(await interrupted(first)).toBe(0)
    await hookproof(['trigger', 'payment.refunded', '--sandbox', on.url])
    const again = await listening(on, '--forward-to', url, '--backfill')
    expect(again.stdout()).toContain('\nSending 2 events that the receiver has not been sent.\n')
    await until(() => seen.length === 3)
    const names = seen.map(({ body }) => (JSON.parse(body) as { event: string }).event)
    expect(names[0]).toBe('payment.failed')
    expect(names.slice(1).toSorted()).toEqual(['payment.completed', 'payment.refunded'])
    expect(await interrupted(again)).toBe(0)
    const last = await listening(on, '--forward-to', url, '--backfill')
    expect(last.stdout()).not.toContain('Sending')
  })

  it('sends no events that are older than --backfill says', async () => {
    const on = await startSandbox()
    await failing(on)
    const advance = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    await fetch(`${on.url}/sandbox/clock`, { ...advance, body: '{"advance_ms":7200000}' })
    await failing(on)
    const { url, seen } = await recorder()
    await listening(on, '--forward-to', url, '--backfill', '1')
    await until(() => seen.length === 1)
    const all = await recorder()
    await listening(on, '--forward-to', all.url, '--backfill', '3')
    await until(() => all.seen.length === 2)
    expect(seen).toHaveLength(1)
    const { stderr } = await hookproof(['listen', '--forward-to', url, '--backfill', '721'])
    expect(stderr).toContain('at most 720 hours')
  })

  it('says that the secret in an env file is not that of the sandbox', async () => {
    const on = await startSandbox()
    const file = join(temporaryFolder(), '.env')
    writeFileSync(file, 'OTHER=1\nWEBHOOK_SECRET="whsec_of_the_shop" # of the receiver\n')
    const { url } = await recorder()
    const running = (): Running =>
      start(['listen', '--sandbox', on.url, '--forward-to', url, '--env-file', file], {
        env: { HOOKPROOF_SECRET: undefined },
      })
    const wrong = running()
    await printed(wrong, 'Ctrl-C to stop')
    expect(wrong.stderr()).toContain('the given signing secret is not that of the sandbox')
    expect(wrong.stdout() + wrong.stderr()).not.toContain('whsec_of_the_shop')
    writeFileSync(file, `WEBHOOK_SECRET='${on.secret}'\n`)
    const right = running()
    await printed(right, 'Ctrl-C to stop')
    expect(right.stderr()).toBe('')
  })

  it('explains a refusal of a valid delivery in one line, once, with the command that names its cause', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder((_, response) => response.writeHead(401).end())
    const listen = await listening(on, '--forward-to', url)
    const wrong = ['trigger', 'payment.failed', '--chaos', 'badSignature', '--sandbox', on.url]
    expect((await hookproof(wrong)).code).toBe(0)
    await printed(listen, /<-- .* 401 in/)
    expect(listen.stdout()).not.toContain('most likely')
    for (const _ of [1, 2]) await failing(on)
    await until(() => seen.length >= 3)
    await printed(listen, /(<-- [^\n]* 401 in[^]*){3}/)
    const hints = listen
      .stdout()
      .split('\n')
      .filter((line) => line.includes('most likely'))
    expect(hints).toEqual([
      `  401: most likely the receiver does not hash the raw body, or has another signing secret. To see the cause and its fix: HOOKPROOF_SECRET=whsec_... npx hookproof check ${url}`,
    ])
  })

  it('says after a 404 to set the path, and repeats neither the wrong one nor the secret', async () => {
    const on = await startSandbox()
    const { url } = await recorder((_, response) => response.writeHead(404).end())
    const listen = await listening(on, '--forward-to', `${url}/wrong`)
    await failing(on)
    await printed(listen, /^ {2}404: .*\n/m)
    const [hint = ''] = /^ {2}404: .*$/m.exec(listen.stdout()) ?? []
    expect(hint).toContain('the path of its webhook route in --forward-to')
    expect(hint).not.toContain('/wrong')
    expect(hint).not.toContain(on.secret)
  })

  it('says without --forward-to that it sends nothing', async () => {
    const listen = await listening(await startSandbox())
    expect(listen.stdout()).toMatch(/^Printing the deliveries of \S+, and forwarding none: add --forward-to /)
  })

  it('refuses what needs a receiver without one', async () => {
    const { stderr } = await hookproof(['listen', '--insecure'])
    expect(stderr).toBe('hookproof: --insecure needs --forward-to: add it, or leave --insecure out [usage]\n')
  })
})
