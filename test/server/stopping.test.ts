import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sqliteInbox } from '../../receiver/inbox/sqlite.ts'
import { events, SECRET, signed } from '../receiver/support.ts'
import { addressOf, exitOf, launch, nowInSeconds, post } from '../support/program.ts'
import { openConnection, requestHead } from '../support/raw-connection.ts'
import { temporaryFile } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const env = () => ({ WEBHOOK_SECRET: SECRET, INBOX: temporaryFile('inbox.sqlite'), LOG_LEVEL: 'error' })

async function open(url: string, ...text: (string | Buffer)[]) {
  const connection = await openConnection(url)
  for (const one of text) connection.socket.write(one)
  await pause(100)
  return connection
}

describe('told to stop', () => {
  it('answers what is on its way, loses nothing that it acknowledged, and resets nobody', async () => {
    const given = env()
    const program = launch(given)
    const url = await addressOf(program)
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    const source = events('stop under load')
    const acknowledged: string[] = []
    const ends: unknown[] = []
    const senders = Array.from({ length: 32 }, async () => {
      for (;;) {
        const event = source.event('completed')
        const answer = await post(url, signed(event, nowInSeconds()), agent)
        if (!('status' in answer) || answer.status !== 200) return void ends.push(answer)
        acknowledged.push(event.id)
      }
    })
    const slow = signed(source.event('completed'), nowInSeconds())
    await until(() => acknowledged.length >= 200)
    const late = await open(
      url,
      requestHead(`X-Service-Signature: ${slow.header}`, `Content-Length: ${slow.body.length}`),
      slow.body.subarray(0, -5),
    )
    program.child.kill('SIGTERM')
    await Promise.all(senders)
    // Everyone else has gone, and this one is still waited for.
    await pause(600)
    late.socket.write(slow.body.subarray(-5))
    await until(late.closed)
    expect(late.received()).toMatch(/^HTTP\/1\.1 200 /)
    expect(await exitOf(program.child)).toBe(0)
    expect(program.stderr()).toBe('')
    // What was not sent yet finds the door closed; no answer was another than 200, no request was cut.
    expect(ends).toEqual(ends.map(() => ({ error: 'ECONNREFUSED' })))
    agent.destroy()

    const inbox = await sqliteInbox({ path: given.INBOX })
    const kept = await inbox.list({ state: 'done', limit: 1_000_000 })
    await inbox.close()
    const ids = new Set(kept.map(({ paymentId }) => paymentId))
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    expect(kept).toHaveLength(acknowledged.length + 1)
  })

  it('is no longer ready while it drains, though it takes deliveries and sends their senders elsewhere', async () => {
    const program = launch({ ...env(), DRAIN_SECONDS: '2' })
    const url = await addressOf(program)
    const event = () => signed(events('drain').event('completed'), nowInSeconds())
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }])
    expect(await post(url, event(), new Agent({ keepAlive: true }))).toEqual({
      status: 200,
      connection: 'keep-alive',
    })
    program.child.kill('SIGTERM')
    await until(async () => (await fetch(`${url}/readyz`)).status === 503)
    const draining = await fetch(`${url}/readyz`)
    expect(draining.headers.get('retry-after')).toBe('5')
    expect(await draining.json()).toEqual({ status: 'not ready', reason: 'draining' })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(await post(url, event(), new Agent({ keepAlive: true }))).toEqual({
      status: 200,
      connection: 'close',
    })
    expect(await exitOf(program.child)).toBe(0)
  })

  it('waits no longer than it may for a sender who does not end', async () => {
    const program = launch({ ...env(), STOP_SECONDS: '1', BODY_TIMEOUT_SECONDS: '3600' })
    const url = await addressOf(program)
    const half = await open(url, requestHead('Content-Length: 10'), '{')
    const silent = await open(url)
    const headless = await open(url, 'POST /webhooks HTTP/1.1\r\n')
    program.child.kill('SIGTERM')
    expect(await exitOf(program.child)).toBe(0)
    await until(() => [half, silent, headless].every(({ closed }) => closed()))
  })

  it('does not wait for a connection on which nothing ever came', async () => {
    const program = launch({ ...env(), STOP_SECONDS: '3600' })
    const silent = await open(await addressOf(program))
    const begun = performance.now()
    program.child.kill('SIGTERM')
    expect(await exitOf(program.child)).toBe(0)
    // In ten seconds it would be cut off for having no head.
    expect(performance.now() - begun).toBeLessThan(8000)
    await until(silent.closed)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at once on a second signal, here %s', async (signal) => {
    const program = launch({ ...env(), STOP_SECONDS: '3600', BODY_TIMEOUT_SECONDS: '3600' })
    const url = await addressOf(program)
    await open(url, requestHead('Content-Length: 10'), '{')
    program.child.kill('SIGTERM')
    await pause(700)
    expect(program.child.exitCode).toBeNull()
    program.child.kill(signal)
    expect(await exitOf(program.child)).toBe(signal)
  })
})
