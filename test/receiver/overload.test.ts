import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HandlerOptions } from '../../receiver/handler.ts'
import { memoryInbox } from '../../receiver/inbox/memory.ts'
import { createOverload } from '../../receiver/overload.ts'
import { createApp } from '../../server/app.ts'
import { addressOf, launch, nowInSeconds, post } from '../support/program.ts'
import { openConnection, requestHead } from '../support/raw-connection.ts'
import { until } from '../support/until.ts'
import { events, SECRET, signed, verify } from './support.ts'

const source = events('overload')
const valid = () => signed(source.event('completed'))

/** A receiver of this test's own, at an address. */
async function serve(options: Partial<HandlerOptions> = {}): Promise<string> {
  const server = createServer(createApp({ verify, inbox: memoryInbox(), ...options }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A promise that is kept when it is told to. */
function latch(): { kept: Promise<void>; keep: () => void } {
  let keep = () => {}
  const kept = new Promise<void>((resolve) => {
    keep = resolve
  })
  return { kept, keep }
}

/** An inbox that stores nothing before it is let. */
function slowInbox() {
  const gate = latch()
  const memory = memoryInbox()
  const inbox: typeof memory = {
    ...memory,
    accept: async (delivery) => {
      await gate.kept
      return memory.accept(delivery)
    },
  }
  return { inbox, go: gate.keep }
}

const answerTo = async (url: string, { body, header }: { body: Buffer; header: string }) => {
  const headers = { 'X-Service-Signature': header }
  const response = await fetch(`${url}/webhooks`, { method: 'POST', body: new Uint8Array(body), headers })
  const { code } = (await response.json()) as { code?: string }
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') }
}

const SENT_AWAY = { status: 503, code: 'overloaded', retryAfter: '5' }

describe('the limits', () => {
  it.each(['maxWaiting', 'maxHeldBytes', 'maxStoreMs'])('%s must be a whole number above 0', (name) => {
    for (const wrong of [0, -1, 1.5, Number.NaN]) {
      expect(() => createOverload({ [name]: wrong })).toThrow(`${name}: must be a whole number`)
    }
  })

  it('count from the delivery that has waited longest, and from no other', () => {
    let now = 0
    const overload = createOverload({ maxStoreMs: 2000 }, () => now)
    const first = overload.enter()
    now = 1500
    const second = overload.enter()
    now = 2000
    overload.requireCapacity()
    now = 2001
    expect(() => overload.requireCapacity()).toThrow(expect.objectContaining({ code: 'overloaded' }))
    expect(() => overload.enter()).toThrow(expect.objectContaining({ status: 503 }))
    overload.leave(first)
    // The store has answered: the next in age is young enough.
    overload.requireCapacity()
    expect(overload.waiting).toBe(1)
    overload.leave(second)
    expect(overload.waiting).toBe(0)
  })
})

describe('a store that falls behind', () => {
  it('has no more than so many wait for it: the others are sent away at once', async () => {
    const { inbox, go } = slowInbox()
    const overload = createOverload({ maxWaiting: 2 })
    const url = await serve({ inbox, overload })
    const waiting = [answerTo(url, valid()), answerTo(url, valid())]
    await until(() => overload.waiting === 2)
    expect(await answerTo(url, valid())).toEqual(SENT_AWAY)
    go()
    expect(await Promise.all(waiting)).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(await answerTo(url, valid())).toMatchObject({ status: 200 })
    expect(overload).toMatchObject({ waiting: 0, heldBytes: 0 })
  })

  it('has nobody more wait for it once it has kept one waiting for too long', async () => {
    const { inbox, go } = slowInbox()
    const overload = createOverload({ maxStoreMs: 50 })
    const url = await serve({ inbox, overload })
    const waiting = answerTo(url, valid())
    await until(() => overload.waiting === 1)
    await pause(60)
    expect(await answerTo(url, valid())).toEqual(SENT_AWAY)
    go()
    expect(await waiting).toMatchObject({ status: 200 })
    expect(await answerTo(url, valid())).toMatchObject({ status: 200 })
  })
})

describe('bodies', () => {
  it('are held only so far, and given up when they are refused, stored or broken off', async () => {
    const overload = createOverload({ maxHeldBytes: 64 * 1024 })
    const url = await serve({ overload })
    const big = signed(source.event('completed', { note: 'x'.repeat(50_000) }))
    const lines = [`X-Service-Signature: ${big.header}`, `Content-Length: ${big.body.length}`]
    const slow = await openConnection(url)
    slow.socket.write(requestHead(...lines))
    slow.socket.write(big.body.subarray(0, -1))
    await until(() => overload.heldBytes === big.body.length - 1)
    expect(await answerTo(url, signed(source.event('completed', { note: 'y'.repeat(50_000) })))).toEqual(
      SENT_AWAY,
    )
    // A small one still has room.
    expect(await answerTo(url, valid())).toMatchObject({ status: 200 })
    slow.socket.write(big.body.subarray(-1))
    await until(() => slow.received().includes('HTTP/1.1 200'))
    expect(overload.heldBytes).toBe(0)

    const broken = await openConnection(url)
    broken.socket.write(requestHead(...lines))
    broken.socket.write(big.body.subarray(0, 1000))
    await until(() => overload.heldBytes === 1000)
    broken.socket.resetAndDestroy()
    await until(() => overload.heldBytes === 0)
    expect(await answerTo(url, { ...big, header: 't=1,v1=0' })).toMatchObject({ status: 400 })
    expect(overload.heldBytes).toBe(0)
  })

  it('that are too large and find no room, in one piece, are refused once', async () => {
    const overload = createOverload({ maxHeldBytes: 100 })
    const url = await serve({ overload, limitBytes: 200 })
    const flood = await openConnection(url)
    // Without a length, so that it is the piece itself that is too large.
    flood.socket.write(
      `${requestHead('X-Service-Signature: t=1,v1=0', 'Transfer-Encoding: chunked')}12c\r\n${'x'.repeat(300)}\r\n`,
    )
    await until(() => flood.received().includes('"body_too_large"'))
    expect(flood.received()).toMatch(/^HTTP\/1\.1 413 /)
    expect(overload.heldBytes).toBe(0)
    flood.socket.destroy()
  })

  it('that come too slowly are answered 408, and the connection is closed', async () => {
    const overload = createOverload()
    const outcomes: unknown[] = []
    const url = await serve({ overload, bodyTimeoutMs: 200, onOutcome: (one) => outcomes.push(one) })
    const drip = await openConnection(url)
    drip.socket.write(requestHead('X-Service-Signature: t=1,v1=0', 'Content-Length: 1000'))
    while (!drip.closed()) {
      drip.socket.write('x')
      await pause(20)
    }
    expect(drip.received()).toMatch(/^HTTP\/1\.1 408 /)
    expect(drip.received()).toMatch(/\r\nConnection: close\r\n/)
    expect(drip.received()).toContain('"body_too_slow"')
    expect(overload.heldBytes).toBe(0)
    expect(outcomes).toMatchObject([{ outcome: 'refused', status: 408 }])
  })

  it('that have no end are refused, listened to for a while, and cut off', async () => {
    const url = await serve()
    const flood = await openConnection(url)
    flood.socket.write(requestHead('X-Service-Signature: t=1,v1=0', 'Transfer-Encoding: chunked'))
    const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')])
    let sent = 0
    while (!flood.closed() && sent < 512 * 1024 * 1024) {
      sent += piece.length
      if (!flood.socket.write(piece)) await until(() => flood.closed() || !flood.socket.writableNeedDrain)
    }
    expect(flood.received()).toMatch(/^HTTP\/1\.1 413 /)
    // The limit, what is heard out, and what the buffers of both sides may hold.
    expect(sent).toBeLessThan(64 * 1024 * 1024)
    expect(await answerTo(url, valid())).toMatchObject({ status: 200 })
  })
})

it('takes a good delivery among as many idle connections as this machine allows, up to 10,000', async () => {
  const program = launch({ WEBHOOK_SECRET: SECRET, INBOX: 'memory', LOG_LEVEL: 'error' })
  const url = await addressOf(program)
  // Node has raised its own limit to the highest that is allowed.
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || 1_000_000
  const count = Math.min(10_000, limit - 500)
  const port = Number(new URL(url).port)
  const idle: Socket[] = []
  onTestFinished(() => {
    for (const socket of idle) socket.destroy()
  })
  while (idle.length < count) {
    const some = Array.from({ length: Math.min(250, count - idle.length) }, async (_, n) => {
      const socket = connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume()
      idle.push(socket)
      await once(socket, 'connect')
      // Silent ones, and ones that have begun to say something.
      if (n % 2 === 0) socket.write('POST /webhooks HTTP/1.1\r\nHost: t')
      else socket.write(requestHead('Content-Length: 500', 'X-Service-Signature: t=1,v1=0'))
    })
    await Promise.all(some)
  }
  expect(idle).toHaveLength(count)
  const answers = []
  for (let n = 0; n < 20; n += 1) {
    answers.push(await post(url, signed(source.event('completed'), nowInSeconds())))
  }
  expect(answers).toMatchObject(answers.map(() => ({ status: 200 })))
  // They are not borne for ever: a head has ten seconds, and so has a body.
  await until(() => idle.every(({ closed }) => closed))
}, 60_000)
