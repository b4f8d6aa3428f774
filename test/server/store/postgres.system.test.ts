import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Observation } from '../../../schemas/types.ts'
import { readConfig } from '../../../server/config.ts'
import { start } from '../../../server/server.ts'
import { asAdmin, freshDatabase, poolOf } from '../../receiver/inbox/databases.ts'
import { asRole } from '../../receiver/inbox/postgres/errors.ts'
import { SECRET, signed } from '../../receiver/support.ts'
import { exitOf, launch } from '../../support/program.ts'
import { until } from '../../support/until.ts'

const STORE = new URL('../../../dist/server/store/store.js', import.meta.url)

describe('INBOX=postgres://', () => {
  it('lets two receivers share acknowledged events, and keeps them when they stop', async () => {
    const url = await freshDatabase()
    const logged: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
    const env = { WEBHOOK_SECRET: SECRET, PORT: '0', INBOX: `${url}?pool=5`, OBSERVE: '1' }
    const servers = await Promise.all([1, 2].map(() => start(readConfig(env), { log })))
    const seconds = Math.floor(Date.now() / 1000)
    const post = async (at: number, event: object) => {
      const { body, header } = signed(event, seconds)
      const { status } = await fetch(`${servers[at]?.url}/webhooks`, {
        method: 'POST',
        headers: { 'X-Service-Signature': header, 'Content-Type': 'application/json' },
        body: new Uint8Array(body),
      })
      return status
    }
    const event = { event: 'payment.completed', payment_id: 'tx_1', amount: '25.00', currency: 'USD' }
    expect(await Promise.all([0, 1, 0, 1, 0].map((at) => post(at, event)))).toEqual(Array(5).fill(200))
    const effects = async (at: number) => {
      const answer = await fetch(`${servers[at]?.url}/observe?payment_id=tx_1`)
      return ((await answer.json()) as Observation).effects
    }
    await until(async () => (await effects(0)).length === 1)
    expect(await effects(1)).toMatchObject([{ effect: 'fulfilled', amount: '25.00' }])
    await Promise.all(servers.map((server) => server.stop()))
    const { rows } = await poolOf(url).query('SELECT state, payment_id FROM hookproof.inbox')
    expect(rows).toEqual([{ state: 'done', payment_id: 'tx_1' }])
    expect(logged.join('')).not.toContain('of-the-tests')
  })

  it('is not ready while it cannot store events, and logs why', async () => {
    const database = await freshDatabase()
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const owner = poolOf(database)
    const { role, url } = await asRole(database)
    await asAdmin(`GRANT CREATE ON DATABASE ${new URL(url).pathname.slice(1)} TO ${role}`)
    onTestFinished(async () => void (await owner.query(`DROP OWNED BY ${role} CASCADE`)))
    const logged: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
    const server = await start(readConfig({ WEBHOOK_SECRET: SECRET, PORT: '0', INBOX: url }), { log })
    onTestFinished(() => server.stop())
    const answers = async (paymentId: string) => {
      const event = { event: 'payment.completed', payment_id: paymentId, amount: '25.00', currency: 'USD' }
      const { body, header } = signed(event, Math.floor(Date.now() / 1000))
      const delivered = await fetch(`${server.url}/webhooks`, {
        method: 'POST',
        headers: { 'X-Service-Signature': header, 'Content-Type': 'application/json' },
        body: new Uint8Array(body),
      })
      // The previous result of /readyz is cached for a second.
      vi.advanceTimersByTime(1000)
      return [delivered.status, (await fetch(`${server.url}/readyz`)).status]
    }
    expect(await answers('tx_1')).toEqual([200, 200])
    await owner.query(`REVOKE INSERT ON ALL TABLES IN SCHEMA hookproof FROM ${role}`)
    await until(async () => (await answers('tx_2')).join() === '503,503')
    const reason = 'permission denied for table inbox. GRANT the privileges'
    expect(logged.filter((line) => line.includes(reason)).length).toBeGreaterThan(1)
    await owner.query(`GRANT INSERT ON ALL TABLES IN SCHEMA hookproof TO ${role}`)
    await until(async () => (await answers('tx_3')).join() === '200,200')
  })

  it('exits with one line and code 2 when Postgres cannot be used', async () => {
    const database = await freshDatabase()
    const pool = poolOf(database)
    await start(readConfig({ WEBHOOK_SECRET: SECRET, PORT: '0', INBOX: database, LOG_LEVEL: 'silent' })).then(
      (server) => server.stop(),
    )
    await pool.query('DROP TABLE hookproof.inbox')
    const messages = {
      [database]:
        /^hookproof receiver: inbox postgres [^\n]*: relation "hookproof\.inbox" does not exist\.[^\n]*\n$/,
      [`${database}?sslmode=require`]:
        /^hookproof receiver: inbox [^\n]*: the server does not support TLS\.[^\n]*\n$/,
    }
    await Promise.all(
      Object.entries(messages).map(async ([url, message]) => {
        const { child, stderr } = launch({ WEBHOOK_SECRET: SECRET, INBOX: url })
        expect(await exitOf(child)).toBe(2)
        expect(stderr()).toMatch(message)
      }),
    )
  })

  it('names the package to install when pg is missing', async () => {
    // A loader hook hides the package from the program.
    const hooks = `export const resolve = (name, context, next) => {
      if (name !== 'pg') return next(name, context)
      throw Object.assign(new Error('Cannot find package pg'), { code: 'ERR_MODULE_NOT_FOUND' })
    }`
    const program = `
      import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))
      const { openStore } = await import(${JSON.stringify(STORE.href)})
      const error = await openStore('postgres://u:secret@127.0.0.1:1/x', { clock: Date.now, retries: {} }).catch((error) => error)
      process.stdout.write(error.name + ': ' + error.message)
      const { inbox } = await openStore('memory', { clock: Date.now, retries: {} })
      process.stdout.write(' ' + await inbox.list({ state: 'dead' }).then(({ length }) => length))`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += String(chunk)
    })
    await once(child, 'close')
    expect(output).toBe(
      'InboxError: inbox: the package for Postgres is not installed. Run npm install pg@8. 0',
    )
  })
})
