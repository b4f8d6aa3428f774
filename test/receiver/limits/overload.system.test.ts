import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import type { HandlerOptions } from '../../../receiver/limits/limited-express.ts'
import { createOverload } from '../../../receiver/limits/overload.ts'
import { createApp } from '../../../server/app.ts'
import { addressOf, launch, nowInSeconds, post } from '../../support/program.ts'
import { openConnection, requestHead } from '../../support/raw-connection.ts'
import { until } from '../../support/until.ts'
import { events, SECRET, signed, verify } from '../support.ts'

const source = events('overload')
const valid = () => signed(source.event('completed'))

/** Starts a receiver for this test. @returns its base URL */
async function serve(options: Partial<HandlerOptions> = {}): Promise<string> {
  const server = createServer(createApp({ verify, inbox: memoryInbox(), ...options }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A promise with a function that resolves it. */
function latch(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** An inbox that stores nothing until `go` is called. */
function slowInbox() {
  const gate = latch()
  const memory = memoryInbox()
  const inbox: typeof memory = {
    ...memory,
    accept: async (delivery) => {
      await gate.opened
      return memory.accept(delivery)
    },
  }
  return { inbox, go: gate.open }
}

const answerTo = async (url: string, { body, header }: { body: Buffer; header: string }) => {
  const headers = { 'X-Service-Signature': header }
  const response = await fetch(`${url}/webhooks`, { method: 'POST', body: new Uint8Array(body), headers })
  const { code } = (await response.json()) as { code?: string }
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') }
}

const OVERLOADED = { status: 503, code: 'overloaded', retryAfter: '5' }

describe('the limits', () => {
  it.each(['maxWaiting', 'maxHeldBytes', 'maxStoreMs'])('%s must be an integer of at least 1', (name) => {
    for (const wrong of [0, -1, 1.5, Number.NaN]) {
      expect(() => createOverload({ [name]: wrong })).toThrow(`${name}: must be an integer`)
    }
  })

  it('apply to the delivery that has waited longest', () => {
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
    // The store has answered, and the next oldest has not waited too long.
    overload.requireCapacity()
    expect(overload.waiting).toBe(1)
    overload.leave(second)
    expect(overload.waiting).toBe(0)
  })
})

describe('a store that falls behind', () => {
  it('refuses deliveries immediately when maxWaiting deliveries are waiting', async () => {
    const { inbox, go } = slowInbox()
    const overload = createOverload({ maxWaiting: 2 })
    const url = await serve({ inbox, overload })
    const waiting = [answerTo(url, valid()), answerTo(url, valid())]
    await until(() => overload.waiting === 2)
    expect(await answerTo(url, valid())).toEqual(OVERLOADED)
    go()
    expect(await Promise.all(waiting)).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(await answerTo(url, valid())).toMatchObject({ status: 200 })
    expect(overload).toMatchObject({ waiting: 0, heldBytes: 0 })
  })

  it('refuses deliveries when one has waited longer than maxStoreMs', async () => {
    const { inbox, go } = slowInbox()
    const overload = createOverload({ maxStoreMs: 50 })
    const url = await serve({ inbox, overload })
    const waiting = answerTo(url, valid())
    await until(() => overload.waiting === 1)
    await pause(60)
    expect(await answerTo(url, valid())).toEqual(OVERLOADED)
    go()
    expect(await waiting).toMatchObject({ status: 200 })
    expect(await answerTo(url, valid())).toMatchObject({ status: 200 })
  })
})

describe('bodies', () => {
  it('are limited to maxHeldBytes, and released when stored, refused or aborted', async () => {
    const overload = createOverload({ maxHeldBytes: 64 * 1024 })
    const url = await serve({ overload })
    const big = signed(source.event('completed', { note: 'x'.repeat(50_000) }))
    const lines = [`X-Service-Signature: ${big.header}`, `Content-Length: ${big.body.length}`]
    const slow = await openConnection(url)
    slow.socket.write(requestHead(...lines))
    slow.socket.write(big.body.subarray(0, 10_000))
    await until(() => overload.heldBytes === 10_000)
    // A complete body that waits for the store.
    overload.reserve(50_000)
    const refused = signed(source.event('completed', { note: 'y'.repeat(50_000) }))
    expect(await answerTo(url, refused)).toEqual(OVERLOADED)
    // A small body still fits.
    expect(await answerTo(url, valid())).toMatchObject({ status: 200 })
    overload.release(50_000)
    await until(() => slow.received().includes('"body_evicted"'))
    expect(slow.received()).toMatch(/^HTTP\/1\.1 503 /)
    expect(overload.heldBytes).toBe(0)

    const steady = await openConnection(url)
    steady.socket.write(requestHead(...lines))
    steady.socket.write(big.body.subarray(0, -1))
    await until(() => overload.heldBytes === big.body.length - 1)
    expect(await answerTo(url, valid())).toMatchObject({ status: 200 })
    steady.socket.write(big.body.subarray(-1))
    await until(() => steady.received().includes('HTTP/1.1 200'))
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

  it('above both limits in one piece are refused once', async () => {
    const overload = createOverload({ maxHeldBytes: 100 })
    const url = await serve({ overload, limitBytes: 200 })
    const flood = await openConnection(url)
    // Without Content-Length, so that only the chunk itself reveals the size.
    flood.socket.write(
      `${requestHead('X-Service-Signature: t=1,v1=0', 'Transfer-Encoding: chunked')}12c\r\n${'x'.repeat(300)}\r\n`,
    )
    await until(() => flood.received().includes('"body_too_large"'))
    expect(flood.received()).toMatch(/^HTTP\/1\.1 413 /)
    expect(overload.heldBytes).toBe(0)
    flood.socket.destroy()
  })

  it('that arrive too slowly are answered with 408, and the connection is closed', async () => {
    const overload = createOverload()
    const outcomes: unknown[] = []
    const url = await serve({ overload, bodyTimeoutMs: 200, onOutcome: (outcome) => outcomes.push(outcome) })
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

  it('that never end are refused and drained up to a limit, then the connection is closed', async () => {
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
    // The size limit, the drained bytes, and the buffers of both sides.
    expect(sent).toBeLessThan(64 * 1024 * 1024)
    expect(await answerTo(url, valid())).toMatchObject({ status: 200 })
  })
})

it('accepts a valid delivery with as many idle connections as this machine allows, up to 4,000', async () => {
  const env = { WEBHOOK_SECRET: SECRET, INBOX: 'memory', LOG_LEVEL: 'error', BODY_TIMEOUT_SECONDS: '3' }
  const program = launch(env, { headTimeoutMs: 3000 })
  const url = await addressOf(program)
  // Node.js raises its own limit to the hard limit.
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || 1_000_000
  const count = Math.min(4000, limit - 500)
  const port = Number(new URL(url).port)
  const idle: Socket[] = []
  const closed: Promise<unknown>[] = []
  onTestFinished(() => {
    for (const socket of idle) socket.destroy()
  })
  while (idle.length < count) {
    const some = Array.from({ length: Math.min(1000, count - idle.length) }, async (_, n) => {
      const socket = connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume()
      idle.push(socket)
      closed.push(new Promise((resolve) => socket.on('close', resolve)))
      await once(socket, 'connect')
      // Half of them send an incomplete head, half an incomplete body.
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
  // The timeouts for a head and a body close them all.
  await Promise.all(closed)
}, 60_000)
