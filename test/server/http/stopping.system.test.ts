import { existsSync } from 'node:fs'
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { sqliteInbox } from '../../../receiver/inbox/sqlite.ts'
import { events, SECRET, signed } from '../../receiver/support.ts'
import { addressOf, exitOf, launch, nowInSeconds, post } from '../../support/program.ts'
import { openConnection, type RawConnection, requestHead, untilRead } from '../../support/raw-connection.ts'
import { type Finished, temporaryFile } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

/** Starts a receiver with a SQLite inbox. */
function launchWith(finished: Finished, env: Record<string, string> = {}) {
  const path = temporaryFile('inbox.sqlite', finished)
  const program = launch({ WEBHOOK_SECRET: SECRET, INBOX: path, LOG_LEVEL: 'error', ...env }, { finished })
  return { program, path }
}

async function open(url: string, ...parts: (string | Buffer)[]) {
  const connection = await openConnection(url)
  for (const part of parts) connection.socket.write(part)
  await untilRead(url)
  return connection
}

async function refusesConnections(url: string): Promise<boolean> {
  const refused: unknown = await openConnection(url).catch((error: unknown) => error)
  if (refused instanceof Error) return 'code' in refused && refused.code === 'ECONNREFUSED'
  ;(refused as RawConnection).socket.destroy()
  return false
}

// Each test spends most of its time waiting for its own process.
describe.concurrent('a receiver that gets SIGTERM', () => {
  it('answers open requests, loses no acknowledged delivery and resets no connection', async ({
    expect,
    onTestFinished,
  }) => {
    const { program, path } = launchWith(onTestFinished)
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
    // All others have disconnected, and the receiver still waits for this sender.
    await pause(600)
    late.socket.write(slow.body.subarray(-5))
    await until(late.closed)
    expect(late.received()).toMatch(/^HTTP\/1\.1 200 /)
    expect(await exitOf(program.child)).toBe(0)
    expect(program.stderr()).toBe('')
    // Every sender got only 200, until its next connection was refused; no request was reset.
    expect(ends).toEqual(ends.map(() => ({ error: 'ECONNREFUSED' })))
    agent.destroy()

    const inbox = await sqliteInbox({ path })
    const kept = await inbox.list({ state: 'done', limit: 1_000_000 })
    await inbox.close()
    const ids = new Set(kept.map(({ paymentId }) => paymentId))
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    expect(kept).toHaveLength(acknowledged.length + 1)
  })

  it('reports draining, still accepts deliveries, and closes the connections of their senders', async ({
    expect,
    onTestFinished,
  }) => {
    const { program } = launchWith(onTestFinished, { DRAIN_SECONDS: '3600' })
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
  })

  it('stops waiting for a request that never ends', async ({ expect, onTestFinished }) => {
    // Long enough for a busy disk: the inbox closes in its share of this time.
    const { program } = launchWith(onTestFinished, { STOP_SECONDS: '5', BODY_TIMEOUT_SECONDS: '3600' })
    const url = await addressOf(program)
    const half = await open(url, requestHead('Content-Length: 10'), '{')
    const silent = await open(url)
    const headless = await open(url, 'POST /webhooks HTTP/1.1\r\n')
    program.child.kill('SIGTERM')
    expect(await exitOf(program.child)).toBe(0)
    await until(() => [half, silent, headless].every(({ closed }) => closed()))
  })

  it('stops after the drain time, and does not wait for a connection that has sent nothing', async ({
    expect,
    onTestFinished,
  }) => {
    const { program } = launchWith(onTestFinished, { DRAIN_SECONDS: '1', STOP_SECONDS: '3600' })
    const silent = await open(await addressOf(program))
    const start = performance.now()
    program.child.kill('SIGTERM')
    expect(await exitOf(program.child)).toBe(0)
    const ms = performance.now() - start
    // A timer may fire a fraction of a millisecond early.
    expect(ms).toBeGreaterThanOrEqual(999)
    // After ten seconds the head timeout would close the connection.
    expect(ms).toBeLessThan(9_000)
    await until(silent.closed)
  })

  it.for(['SIGTERM', 'SIGINT'] as const)(
    'exits immediately on a second signal: %s',
    async (signal, { expect, onTestFinished }) => {
      const { program } = launchWith(onTestFinished, { STOP_SECONDS: '3600', BODY_TIMEOUT_SECONDS: '3600' })
      const url = await addressOf(program)
      await open(url, requestHead('Content-Length: 10'), '{')
      program.child.kill('SIGTERM')
      await until(() => refusesConnections(url))
      expect(program.child.exitCode).toBeNull()
      program.child.kill(signal)
      expect(await exitOf(program.child)).toBe(signal)
    },
  )

  it('ends although the disk of the inbox does not answer', async ({ expect, onTestFinished }) => {
    const marker = temporaryFile('syncing', onTestFinished)
    // The thread of the inbox never answers, as if its sync did not end.
    const hook = `import fs from 'node:fs'
      import { Worker } from 'node:worker_threads'
      const { postMessage } = Worker.prototype
      Worker.prototype.postMessage = function (...args) {
        if (args[0] === 'sync') fs.writeFileSync(${JSON.stringify(marker)}, '')
        else postMessage.apply(this, args)
      }`
    const { program, path } = launchWith(onTestFinished, {
      STOP_SECONDS: '1',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
    })
    const url = await addressOf(program)
    const source = events('a disk that does not answer')
    const deliveries = Array.from({ length: 8 }, () =>
      post(url, signed(source.event('completed'), nowInSeconds())),
    )
    await until(() => existsSync(marker))
    // The marker may be from the start. Connections are accepted in turn, so those of the deliveries were accepted before this one.
    expect((await fetch(new URL('/healthz', url))).status).toBe(200)
    program.child.kill('SIGTERM')
    expect(await exitOf(program.child)).toBe('SIGKILL')
    expect(program.stderr()).toMatch(/^hookproof receiver: inbox .*: did not close within 1 s\.[^\n]*\n$/)
    expect(program.stderr()).toContain(path)
    expect(await Promise.all(deliveries)).toContainEqual({ error: 'ECONNRESET' })
  })
})
