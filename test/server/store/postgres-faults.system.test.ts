import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../../../server/config.ts'
import { start } from '../../../server/server.ts'
import { poolOf } from '../../receiver/inbox/databases.ts'
import { openingError } from '../../receiver/inbox/postgres/errors.ts'
import { events, SECRET, signed } from '../../receiver/support.ts'
import { startServer, type TestServer } from '../../support/postgres-server.ts'
import { addressOf, exitOf, launch, nowInSeconds, post } from '../../support/program.ts'
import { until } from '../../support/until.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ durable: false })
}, 60_000)
afterAll(() => server.remove())

const source = events('faults of Postgres')

async function deliver(url: string): Promise<number | string> {
  const answer = await post(url, signed(source.event('completed'), nowInSeconds()))
  return 'status' in answer ? answer.status : answer.error
}

const readiness = async (url: string) => (await fetch(`${url}/readyz`)).status

describe('a Postgres that does not answer', () => {
  it('makes the receiver refuse deliveries until it answers, and stop in time with a reason', async () => {
    const env = { WEBHOOK_SECRET: SECRET, LOG_LEVEL: 'error', INBOX: server.url, STOP_SECONDS: '1' }
    const [waiting, stopping] = [{ MAX_STORE_SECONDS: '1' }, {}].map((more) => launch({ ...env, ...more }))
    if (!waiting || !stopping) throw new Error('two receivers')
    const [url, other] = await Promise.all([waiting, stopping].map(addressOf))
    if (!url || !other) throw new Error('two addresses')
    expect([await deliver(url), await deliver(other)]).toEqual([200, 200])

    const thaw = await server.freeze()
    onTestFinished(thaw)
    const [first, unanswered] = [deliver(url), deliver(other)]
    stopping.child.kill('SIGTERM')
    const notReady = readiness(url)
    expect(await exitOf(stopping.child)).toBe(1)
    expect(stopping.stderr()).toBe(
      `hookproof receiver: inbox postgres 127.0.0.1:${new URL(server.url).port}/postgres: did not close within 1 s. Check that it responds; acknowledged events stay in it.\n`,
    )
    expect(await unanswered).toMatch(/^E|socket/)
    expect(await notReady).toBe(503)
    // By now the first delivery has waited for longer than a second.
    expect(await deliver(url)).toBe(503)

    thaw()
    expect(await first).toBe(200)
    await until(async () => (await deliver(url)) === 200)
    await until(async () => (await readiness(url)) === 200)
    waiting.child.kill('SIGTERM')
    expect(await exitOf(waiting.child)).toBe(0)
  })
})

describe('fsync = off', () => {
  it('is refused at the start; turned off later, deliveries are refused until it is on again', async () => {
    const admin = poolOf(server.url)
    const setFsync = async (value: string) => {
      await admin.query(`ALTER SYSTEM SET fsync = ${value}`)
      await admin.query('SELECT pg_reload_conf()')
    }
    await setFsync('off')
    const message = /: fsync is off, so a power failure would lose acknowledged deliveries .*\. Set it to on/
    await until(async () => message.test(await openingError(server.url)))
    await setFsync('on')

    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const logged: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
    const config = readConfig({ WEBHOOK_SECRET: SECRET, PORT: '0', INBOX: server.url })
    const receiver = await start(config, { log })
    onTestFinished(() => receiver.stop())
    const { url } = receiver
    const answers = async () => {
      // The previous result of /readyz is cached for a second.
      vi.advanceTimersByTime(1000)
      return [await deliver(url), await readiness(url)].join()
    }
    await until(async () => (await answers()) === '200,200')
    await setFsync('off')
    await until(async () => (await answers()) === '503,503')
    expect(logged.filter((line) => message.test(line)).map((line) => JSON.parse(line).msg)).toEqual(
      expect.arrayContaining(['delivery', 'readiness']),
    )
    await setFsync('on')
    await until(async () => (await answers()) === '200,200')
  })
})
