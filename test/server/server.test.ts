import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serialize, sign } from '../../fixtures/index.ts'
import { openDatabase } from '../../receiver/inbox/database.ts'
import { sqliteInbox } from '../../receiver/inbox/sqlite.ts'
import { sqliteLedger } from '../../receiver/ledger/sqlite.ts'
import type { Observation } from '../../schemas/types.ts'
import { readConfig } from '../../server/config.ts'
import { ListenError } from '../../server/listen.ts'
import { start } from '../../server/server.ts'
import { events, SECRET, signed } from '../receiver/support.ts'
import { temporaryFile } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const SERVER = fileURLToPath(new URL('../../server/server.ts', import.meta.url))

type Environment = Record<string, string>

/** Runs the program as `node` would, and collects what it prints. */
function launch(env: Environment): { child: ChildProcess; stderr: () => string; lines: string[] } {
  const child = spawn(process.execPath, ['--import', 'tsx', SERVER], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  return { child, stderr: () => stderr, lines }
}

async function addressOf(lines: string[]): Promise<string> {
  const listening = () => lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'listening')
  await until(() => listening() !== undefined)
  return listening().url
}

const exitOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Posts over a given agent; the status, or `undefined` when the connection failed. */
function post(url: string, { body, header }: { body: Buffer; header: string }, agent: Agent) {
  return new Promise<number | undefined>((resolve) => {
    const sending = httpRequest(`${url}/webhooks`, {
      method: 'POST',
      agent,
      headers: { 'X-Service-Signature': header },
    })
    sending.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)))
    sending.on('error', () => resolve(undefined))
    sending.end(body)
  })
}

async function effectsAt(url: string, id: string): Promise<Observation['effects']> {
  const response = await fetch(`${url}/observe?payment_id=${id}`)
  return ((await response.json()) as Observation).effects
}

const nowInSeconds = () => Math.floor(Date.now() / 1000)

describe('the program', () => {
  it('stops on SIGTERM with deliveries under way, and every 200 is in the ledger', async () => {
    const path = temporaryFile('inbox.sqlite')
    const { child, lines, stderr } = launch({
      WEBHOOK_SECRET: SECRET,
      PORT: '0',
      INBOX: path,
      LOG_LEVEL: 'error',
    })
    const url = await addressOf(lines)

    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const source = events('graceful')
    const acknowledged: string[] = []
    const senders = Array.from({ length: 8 }, async () => {
      let status: number | undefined = 200
      while (status === 200) {
        const event = source.event('completed')
        status = await post(url, signed(event, nowInSeconds()), agent)
        if (status === 200) acknowledged.push(event.id)
      }
      return status
    })
    await until(() => acknowledged.length >= 50)
    child.kill('SIGTERM')
    expect(await exitOf(child)).toBe(0)
    // No answer but 200: what was not acknowledged met a closed door.
    expect(await Promise.all(senders)).toEqual(senders.map(() => undefined))
    agent.destroy()
    expect(stderr()).toBe('')

    const database = await openDatabase(path)
    const ledger = sqliteLedger(database)
    for (const id of acknowledged) expect(await ledger.linesOf(id)).toHaveLength(1)
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    database.close()
  })

  it('goes on after a kill with what it had acknowledged', async () => {
    const path = temporaryFile('inbox.sqlite')
    const env = { WEBHOOK_SECRET: SECRET, PORT: '0', INBOX: path, OBSERVE: '1' }
    const agent = new Agent()
    const source = events('killed')
    const sent = Array.from({ length: 20 }, () => source.event('completed'))

    const first = launch(env)
    const url = await addressOf(first.lines)
    const statuses = await Promise.all(sent.map((event) => post(url, signed(event, nowInSeconds()), agent)))
    first.child.kill('SIGKILL')
    expect(statuses).toEqual(sent.map(() => 200))

    const second = launch(env)
    const next = await addressOf(second.lines)
    for (const { id } of sent) {
      await until(async () => (await effectsAt(next, id)).length > 0)
      expect(await effectsAt(next, id)).toHaveLength(1)
    }
    second.child.kill('SIGINT')
    expect(await exitOf(second.child)).toBe(0)
  })

  it('takes a new secret from its file without a restart, on SIGHUP and by itself', async () => {
    const path = temporaryFile('inbox.sqlite')
    const file = temporaryFile('secrets.txt')
    writeFileSync(file, `${SECRET}\n`)
    const { child, lines } = launch({ WEBHOOK_SECRET_FILE: file, PORT: '0', INBOX: path })
    const url = await addressOf(lines)
    const source = events('rotation')
    const agent = new Agent()
    const send = (secret: string) => {
      const body = serialize(source.event('completed'))
      return post(url, { body, header: sign({ secret, t: nowInSeconds(), body }).header }, agent)
    }
    const replace = (text: string): void => {
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    }
    const reloads = () => lines.filter((line) => line.includes('"secrets"')).length
    expect([await send(SECRET), await send('whsec_next')]).toEqual([200, 401])
    replace(`whsec_next\n${SECRET}\n`)
    child.kill('SIGHUP')
    await until(() => reloads() === 1)
    expect([await send(SECRET), await send('whsec_next')]).toEqual([200, 200])
    replace('')
    await until(() => reloads() === 2)
    expect([await send(SECRET), await send('whsec_next')]).toEqual([200, 200])
    replace('whsec_next\n')
    await until(() => reloads() === 3)
    expect([await send(SECRET), await send('whsec_next')]).toEqual([401, 200])
    expect(lines.join()).not.toMatch(/whsec_/)
    child.kill('SIGTERM')
    expect(await exitOf(child)).toBe(0)
  })

  it.each<[string, (path: string) => Environment, RegExp]>([
    [
      'a secret file that is not there',
      (path) => ({ WEBHOOK_SECRET_FILE: `${path}.none`, INBOX: path }),
      /^hookproof receiver: WEBHOOK_SECRET_FILE .*can not be read \(ENOENT\)/,
    ],
    ['no secret', () => ({}), /^hookproof receiver: WEBHOOK_SECRET is not set/],
    ['a wrong port', () => ({ WEBHOOK_SECRET: SECRET, PORT: 'http' }), /^hookproof receiver: PORT is "http"/],
    [
      'a corrupt inbox',
      (path) => {
        writeFileSync(path, 'not a database '.repeat(100))
        return { WEBHOOK_SECRET: SECRET, PORT: '0', INBOX: path }
      },
      /^hookproof receiver: inbox .* not a SQLite database/,
    ],
    [
      'a host of elsewhere',
      () => ({ WEBHOOK_SECRET: SECRET, INBOX: 'memory', HOST: '192.0.2.1' }),
      /^hookproof receiver: can not listen on 192\.0\.2\.1 .*Set HOST/,
    ],
  ])('says in one line why it can not start with %s, and exits with 2', async (_name, envFor, line) => {
    const { child, stderr, lines } = launch(envFor(temporaryFile('inbox.sqlite')))
    expect(await exitOf(child)).toBe(2)
    await until(() => stderr() !== '')
    expect(stderr()).toMatch(line)
    expect(stderr().trimEnd()).not.toContain('\n')
    expect(stderr()).not.toContain(SECRET)
    expect(lines).toEqual([])
  })
})

describe('start', () => {
  const config = readConfig({
    WEBHOOK_SECRET: SECRET,
    PORT: '0',
    INBOX: 'memory',
    OBSERVE: '1',
    LOG_LEVEL: 'silent',
  })

  it('takes deliveries at its address, with the previous secret too, and shows their effects', async () => {
    const receiver = await start({ ...config, secrets: ['whsec_new', SECRET] })
    const event = events('start').event('completed-short')
    const { body, header } = signed(event, nowInSeconds())
    const sent = await fetch(`${receiver.url}/webhooks`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'X-Service-Signature': header },
    })
    expect(sent.status).toBe(200)
    await until(async () => (await effectsAt(receiver.url, event.id)).length > 0)
    const { amount, currency } = event
    expect(await effectsAt(receiver.url, event.id)).toEqual([
      { event: 'payment.completed', effect: 'fulfilled', amount, currency, livemode: false },
    ])
    await receiver.stop()
    await receiver.stop()
  })

  it('serves no effects unless told to', async () => {
    const receiver = await start({ ...config, observe: false })
    expect((await fetch(`${receiver.url}/observe?payment_id=tx_1`)).status).toBe(404)
    await receiver.stop()
  })

  it('tells that a port is taken, and lets go of the store', async () => {
    const path = temporaryFile('inbox.sqlite')
    const first = await start(config)
    const second = start({ ...config, port: first.port, inbox: path })
    await expect(second).rejects.toThrow(ListenError)
    await expect(second).rejects.toThrow(`can not listen on 127.0.0.1 port ${first.port}: the port is taken.`)
    const log = `${path}-wal`
    // What was opened was closed again, with nothing left outside the file itself.
    expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
    await first.stop()
    const third = await start({ ...config, port: first.port, inbox: path })
    await third.stop()
  })

  it('handles a delivery at once, without waiting to look for it', async () => {
    const receiver = await start(config, { pollMs: 60_000 })
    const event = events('at once').event('completed')
    expect(await post(receiver.url, signed(event, nowInSeconds()), new Agent())).toBe(200)
    await until(async () => (await effectsAt(receiver.url, event.id)).length > 0)
    await receiver.stop()
  })

  it('deletes at its start what it handled longer ago than it keeps that, and goes on with the rest', async () => {
    const path = temporaryFile('inbox.sqlite')
    const source = events('retention')
    const [old, young] = [source.event('completed'), source.event('completed')]
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const day = 86_400_000
    let receiver = await start({ ...config, inbox: path }, { clock: () => Date.now() - 91 * day })
    expect(await post(receiver.url, signed(old, nowInSeconds() - 91 * 86_400), new Agent())).toBe(200)
    await until(async () => (await effectsAt(receiver.url, old.id)).length > 0)
    await receiver.stop()

    receiver = await start({ ...config, inbox: path, retentionDays: 90 }, { log })
    expect(await post(receiver.url, signed(young, nowInSeconds()), new Agent())).toBe(200)
    await until(() => lines.some((line) => line.includes('"retention"')))
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ msg: 'retention', purged: 1 }),
    )
    // The effect stays: only the knowledge that its event was handled is gone.
    expect(await effectsAt(receiver.url, old.id)).toHaveLength(1)
    await receiver.stop()
    const inbox = await sqliteInbox({ path })
    expect(await inbox.list({ state: 'done' })).toMatchObject([{ paymentId: young.id }])
    await inbox.close()
  })

  it('gives up after the attempts that it is allowed', async () => {
    const path = temporaryFile('inbox.sqlite')
    const receiver = await start({ ...config, inbox: path, maxAttempts: 1 })
    const unbookable = { ...events('unbookable').event('completed'), amount: 'much' }
    expect(await post(receiver.url, signed(unbookable, nowInSeconds()), new Agent())).toBe(200)
    await receiver.stop()
    const inbox = await sqliteInbox({ path })
    expect(await inbox.list({ state: 'dead' })).toMatchObject([
      { attempts: 1, lastError: expect.stringContaining('amount') },
    ])
    await inbox.close()
  })

  it('tells its address at every level of the log but silent', async () => {
    for (const level of ['fatal', 'silent']) {
      const lines: string[] = []
      const stream = { write: (line: string) => void lines.push(line) }
      const receiver = await start(config, { log: pino({ level }, stream) })
      await receiver.stop()
      const expected = level === 'silent' ? [] : [{ msg: 'listening', url: receiver.url }]
      expect(lines.map((line) => JSON.parse(line))).toMatchObject(expected)
    }
  })

  it('stops after the delivery that was on its way, though its sender keeps the connection', async () => {
    const path = temporaryFile('inbox.sqlite')
    const receiver = await start({ ...config, inbox: path }, { stopTimeoutMs: 60_000 })
    const source = events('under way')
    const [first, second] = [source.event('completed'), source.event('completed')]
    const socket = connect(receiver.port, '127.0.0.1')
    const deliver = (event: object): Buffer => {
      const { body, header } = signed(event, nowInSeconds())
      const lines = [`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`, 'Host: test']
      return Buffer.concat([Buffer.from(`POST /webhooks HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body])
    }
    const whole = deliver(first)
    // An answered request before it: the connection is known, and idle ones are the first to be closed.
    socket.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n')
    await once(socket, 'data')
    socket.write(whole.subarray(0, -10))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const stopped = receiver.stop()
    socket.write(Buffer.concat([whole.subarray(-10), deliver(second)]))
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    await stopped
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(text.match(/Connection: close/g)).toHaveLength(1)

    const database = await openDatabase(path)
    for (const { id } of [first, second]) expect(await sqliteLedger(database).linesOf(id)).toHaveLength(1)
    database.close()
  })

  it('stops though a client keeps an idle connection, or one that was busy when it began', async () => {
    const receiver = await start(config, { stopTimeoutMs: 60_000 })
    const idle = connect(receiver.port, '127.0.0.1')
    idle.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n')
    await once(idle, 'data')
    const busy = connect(receiver.port, '127.0.0.1')
    busy.write('POST /webhooks HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\n{')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const closed = [once(idle, 'close'), once(busy, 'close')]
    idle.resume()
    busy.resume()
    const stopped = receiver.stop()
    busy.write('}')
    await stopped
    await Promise.all(closed)
  })
})
