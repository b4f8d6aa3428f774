import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../receiver/config.ts'
import { start } from '../../receiver/server.ts'
import type { Observation } from '../../schemas/types.ts'
import { freshDatabase, poolOf } from './databases.ts'
import { SECRET, signed, until } from './support.ts'

const STORE = new URL('../../receiver/store.ts', import.meta.url)

describe('INBOX=postgres://', () => {
  it('lets two servers share what they acknowledge, and keeps it when they stop', async () => {
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
    const { rows } = await poolOf(url).query('SELECT handled_in, payment_id FROM hookproof.inbox')
    expect(rows).toEqual([{ handled_in: 1, payment_id: 'tx_1' }])
    expect(logged.join('')).not.toContain('of-the-tests')
  })

  it.each(['pg', 'pg-boss'])('says what to install when %s is not there', async (missing) => {
    // The package that is missing here is hidden from a program that would find it.
    const hooks = `export const resolve = (name, context, next) => {
      if (name !== '${missing}') return next(name, context)
      throw Object.assign(new Error('Cannot find package ${missing}'), { code: 'ERR_MODULE_NOT_FOUND' })
    }`
    const program = `
      import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))
      const { openStore } = await import(${JSON.stringify(STORE.href)})
      const refused = await openStore('postgres://u:secret@127.0.0.1:1/x', { clock: Date.now, retries: {} }).catch((error) => error)
      process.stdout.write(refused.name + ': ' + refused.message)
      const { inbox } = await openStore('memory', { clock: Date.now, retries: {} })
      process.stdout.write(' ' + await inbox.list({ state: 'dead' }).then(({ length }) => length))`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += String(chunk)
    })
    await once(child, 'close')
    expect(output).toBe(
      'InboxError: inbox: Postgres needs two packages. Run npm install pg@8 pg-boss@10.4.2. 0',
    )
  })
})
