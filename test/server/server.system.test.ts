import { once } from 'node:events'
import { chmodSync, existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { serialize, sign } from '../../fixtures/index.ts'
import { openDatabase } from '../../receiver/inbox/sqlite/database.ts'
import { sqliteInbox } from '../../receiver/inbox/sqlite.ts'
import { sqliteLedger } from '../../receiver/ledger/sqlite.ts'
import type { Observation } from '../../schemas/types.ts'
import { readConfig } from '../../server/config.ts'
import { ListenError } from '../../server/http/listen.ts'
import { start } from '../../server/server.ts'
import { events, SECRET, signed } from '../receiver/support.ts'
import { closeBooks } from '../support/closed-books.ts'
import { addressOf, exitOf, launch, nowInSeconds, post } from '../support/program.ts'
import { untilRead } from '../support/raw-connection.ts'
import { temporaryFile } from '../support/temporary.ts'
import { until } from '../support/until.ts'

async function effectsAt(url: string, id: string): Promise<Observation['effects']> {
  const response = await fetch(`${url}/observe?payment_id=${id}`)
  return ((await response.json()) as Observation).effects
}

// Each test spends most of its time waiting for its own processes.
describe.concurrent('the program', () => {
  it('stops on SIGTERM under load, and every acknowledged delivery is in the ledger', async ({
    expect,
    onTestFinished,
  }) => {
    const path = temporaryFile('inbox.sqlite', onTestFinished)
    const env = { WEBHOOK_SECRET: SECRET, INBOX: path, LOG_LEVEL: 'error' }
    const program = launch(env, { finished: onTestFinished })
    const url = await addressOf(program)

    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const source = events('graceful')
    const acknowledged: string[] = []
    const senders = Array.from({ length: 8 }, async () => {
      for (;;) {
        const event = source.event('completed')
        const answer = await post(url, signed(event, nowInSeconds()), agent)
        if (!('status' in answer) || answer.status !== 200) return answer
        acknowledged.push(event.id)
      }
    })
    await until(() => acknowledged.length >= 50)
    program.child.kill('SIGTERM')
    expect(await exitOf(program.child)).toBe(0)
    // Every answer was 200; the deliveries that were not acknowledged failed to connect.
    expect(await Promise.all(senders)).toEqual(senders.map(() => ({ error: expect.any(String) })))
    agent.destroy()
    expect(program.stderr()).toBe('')

    const database = await openDatabase(path)
    const ledger = sqliteLedger(database)
    for (const id of acknowledged) expect(await ledger.linesOf(id)).toHaveLength(1)
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    database.close()
  })

  it('continues with the acknowledged deliveries after it was killed', async ({ expect, onTestFinished }) => {
    const path = temporaryFile('inbox.sqlite', onTestFinished)
    const env = { WEBHOOK_SECRET: SECRET, INBOX: path, OBSERVE: '1' }
    const agent = new Agent()
    const source = events('killed')
    const sent = Array.from({ length: 20 }, () => source.event('completed'))

    const first = launch(env, { finished: onTestFinished })
    const url = await addressOf(first)
    const answers = await Promise.all(sent.map((event) => post(url, signed(event, nowInSeconds()), agent)))
    first.child.kill('SIGKILL')
    expect(answers).toMatchObject(sent.map(() => ({ status: 200 })))

    const second = launch(env, { finished: onTestFinished })
    const next = await addressOf(second)
    for (const { id } of sent) {
      await until(async () => (await effectsAt(next, id)).length > 0)
      expect(await effectsAt(next, id)).toHaveLength(1)
    }
    second.child.kill('SIGINT')
    expect(await exitOf(second.child)).toBe(0)
  })

  it('loads new secrets from their file without a restart, on SIGHUP and automatically', async ({
    expect,
    onTestFinished,
  }) => {
    const path = temporaryFile('inbox.sqlite', onTestFinished)
    const file = temporaryFile('secrets.txt', onTestFinished)
    writeFileSync(file, `${SECRET}\n`)
    chmodSync(file, 0o644)
    const program = launch({ WEBHOOK_SECRET_FILE: file, INBOX: path }, { finished: onTestFinished })
    const url = await addressOf(program)
    const source = events('rotation')
    const agent = new Agent()
    const send = async (secret: string) => {
      const body = serialize(source.event('completed'))
      const answer = await post(
        url,
        { body, header: sign({ secret, t: nowInSeconds(), body }).header },
        agent,
      )
      return 'status' in answer ? answer.status : answer.error
    }
    const replace = (text: string): void => {
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    }
    await until(() => program.lines.length === 2)
    expect(program.lines[1]).toMatchObject({
      level: 40,
      msg: expect.stringMatching(/WEBHOOK_SECRET_FILE.*chmod/),
    })
    const reloads = () => program.lines.filter(({ msg }) => msg === 'secrets').length
    expect([await send(SECRET), await send('whsec_next')]).toEqual([200, 401])
    replace(`whsec_next\n${SECRET}\n`)
    program.child.kill('SIGHUP')
    await until(() => reloads() === 1)
    expect([await send(SECRET), await send('whsec_next')]).toEqual([200, 200])
    replace('')
    await until(() => reloads() === 2)
    expect([await send(SECRET), await send('whsec_next')]).toEqual([200, 200])
    replace('whsec_next\n')
    await until(() => reloads() === 3)
    expect([await send(SECRET), await send('whsec_next')]).toEqual([401, 200])
    expect(JSON.stringify(program.lines)).not.toMatch(/whsec_/)
    program.child.kill('SIGTERM')
    expect(await exitOf(program.child)).toBe(0)
  })

  it('ignores SIGHUP without a secret file', async ({ expect, onTestFinished }) => {
    const env = { WEBHOOK_SECRET: SECRET, INBOX: 'memory' }
    const program = launch(env, { finished: onTestFinished })
    const url = await addressOf(program)
    program.child.kill('SIGHUP')
    await until(() => program.lines.length === 2 || program.child.signalCode !== null)
    expect(program.lines[1]).toMatchObject({
      msg: 'secrets',
      outcome: 'ignored',
      cause: 'WEBHOOK_SECRET_FILE is not set',
    })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    program.child.kill('SIGTERM')
    expect(await exitOf(program.child)).toBe(0)
  })

  it.for<[string, (path: string) => Record<string, string>, RegExp]>([
    [
      'a missing secret file',
      (path) => ({ WEBHOOK_SECRET_FILE: `${path}.none`, INBOX: path }),
      /^hookproof receiver: WEBHOOK_SECRET_FILE .*cannot be read \(ENOENT\)/,
    ],
    ['no secret', () => ({}), /^hookproof receiver: WEBHOOK_SECRET is not set/],
    [
      'an invalid port',
      () => ({ WEBHOOK_SECRET: SECRET, PORT: 'http' }),
      /^hookproof receiver: PORT must be .* but is "http"/,
    ],
    [
      'a corrupt inbox',
      (path) => {
        writeFileSync(path, 'not a database '.repeat(100))
        return { WEBHOOK_SECRET: SECRET, INBOX: path }
      },
      /^hookproof receiver: inbox .* not a SQLite database/,
    ],
    [
      'a host of another machine',
      () => ({ WEBHOOK_SECRET: SECRET, INBOX: 'memory', HOST: '192.0.2.1' }),
      /^hookproof receiver: cannot listen on 192\.0\.2\.1 .*Set HOST/,
    ],
  ])(
    'explains in one line why it cannot start with %s, and exits with 2',
    async ([, envFor, line], { expect, onTestFinished }) => {
      const env = envFor(temporaryFile('inbox.sqlite', onTestFinished))
      const { child, stderr, lines } = launch(env, { finished: onTestFinished })
      expect(await exitOf(child)).toBe(2)
      expect(stderr()).toMatch(line)
      expect(stderr().trimEnd()).not.toContain('\n')
      expect(stderr()).not.toContain(SECRET)
      expect(lines).toEqual([])
    },
  )
})

describe('start', () => {
  const config = readConfig({
    WEBHOOK_SECRET: SECRET,
    PORT: '0',
    INBOX: 'memory',
    OBSERVE: '1',
    LOG_LEVEL: 'silent',
  })

  it('accepts deliveries, also with the previous secret, and shows their effects', async () => {
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

  it('serves effects only if configured', async () => {
    const receiver = await start({ ...config, observe: false })
    expect((await fetch(`${receiver.url}/observe?payment_id=tx_1`)).status).toBe(404)
    await receiver.stop()
  })

  it('rejects when the port is in use, and closes the store', async () => {
    const path = temporaryFile('inbox.sqlite')
    const first = await start(config)
    const second = start({ ...config, port: first.port, inbox: path })
    await expect(second).rejects.toThrow(ListenError)
    await expect(second).rejects.toThrow(`cannot listen on 127.0.0.1 port ${first.port}: the port is in use.`)
    const log = `${path}-wal`
    // The store was closed, with all data in the file itself.
    expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
    await first.stop()
    const third = await start({ ...config, port: first.port, inbox: path })
    await third.stop()
  })

  it('handles a delivery immediately, without waiting for the next poll', async () => {
    const receiver = await start(config, { pollMs: 60_000 })
    const event = events('at once').event('completed')
    expect(await post(receiver.url, signed(event, nowInSeconds()), new Agent())).toMatchObject({
      status: 200,
    })
    await until(async () => (await effectsAt(receiver.url, event.id)).length > 0)
    await receiver.stop()
  })

  it('deletes handled events older than the retention time when it starts', async () => {
    const path = temporaryFile('inbox.sqlite')
    const source = events('retention')
    const [old, young] = [source.event('completed'), source.event('completed')]
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const day = 86_400_000
    let receiver = await start({ ...config, inbox: path }, { clock: () => Date.now() - 91 * day })
    expect(await post(receiver.url, signed(old, nowInSeconds() - 91 * 86_400), new Agent())).toMatchObject({
      status: 200,
    })
    await until(async () => (await effectsAt(receiver.url, old.id)).length > 0)
    await receiver.stop()

    receiver = await start({ ...config, inbox: path, retentionDays: 90 }, { log })
    expect(await post(receiver.url, signed(young, nowInSeconds()), new Agent())).toMatchObject({
      status: 200,
    })
    await until(() => lines.some((line) => line.includes('"retention"')))
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ msg: 'retention', purged: 1 }),
    )
    // The effect stays in the ledger; only the handled event is deleted.
    expect(await effectsAt(receiver.url, old.id)).toHaveLength(1)
    await receiver.stop()
    const inbox = await sqliteInbox({ path })
    expect(await inbox.list({ state: 'done' })).toMatchObject([{ paymentId: young.id }])
    await inbox.close()
  })

  it('makes an event dead after maxAttempts attempts', async () => {
    const path = temporaryFile('inbox.sqlite')
    await closeBooks(path)
    const receiver = await start({ ...config, inbox: path, maxAttempts: 1 })
    const event = events('dead').event('completed')
    expect(await post(receiver.url, signed(event, nowInSeconds()), new Agent())).toMatchObject({
      status: 200,
    })
    await receiver.stop()
    const inbox = await sqliteInbox({ path })
    expect(await inbox.list({ state: 'dead' })).toMatchObject([
      { attempts: 1, lastError: expect.stringContaining('the books are closed') },
    ])
    await inbox.close()
  })

  it('logs its address at every level except silent', async () => {
    for (const level of ['fatal', 'silent']) {
      const lines: string[] = []
      const stream = { write: (line: string) => void lines.push(line) }
      const receiver = await start(config, { log: pino({ level }, stream) })
      await receiver.stop()
      const expected = level === 'silent' ? [] : [{ msg: 'listening', url: receiver.url }]
      expect(lines.map((line) => JSON.parse(line))).toMatchObject(expected)
    }
  })

  it('answers the requests in transit before it stops, on a connection that stays open', async () => {
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
    const request = deliver(first)
    // An answered request first, so that the connection counts as idle, and idle connections are closed first.
    socket.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n')
    await once(socket, 'data')
    socket.write(request.subarray(0, -10))
    await untilRead(receiver.url)
    const stopped = receiver.stop()
    socket.write(Buffer.concat([request.subarray(-10), deliver(second)]))
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    await stopped
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(text.match(/Connection: close/g)).toHaveLength(1)

    const database = await openDatabase(path)
    for (const { id } of [first, second]) expect(await sqliteLedger(database).linesOf(id)).toHaveLength(1)
    database.close()
  })

  it('stops while clients keep an idle and a busy connection open', async () => {
    const receiver = await start(config, { stopTimeoutMs: 60_000 })
    const idle = connect(receiver.port, '127.0.0.1')
    idle.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n')
    await once(idle, 'data')
    const busy = connect(receiver.port, '127.0.0.1')
    await once(busy, 'connect')
    busy.write('POST /webhooks HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\n{')
    await untilRead(receiver.url)
    const closed = [once(idle, 'close'), once(busy, 'close')]
    idle.resume()
    busy.resume()
    const stopped = receiver.stop()
    busy.write('}')
    await stopped
    await Promise.all(closed)
  })
})
