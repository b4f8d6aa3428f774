import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { memoryInbox } from '../../../../receiver/inbox/memory.ts'
import { webhookHandler } from '../../../../receiver/limits/limited-express.ts'
import { createOverload } from '../../../../receiver/limits/overload.ts'
import type { DeliveryOutcome } from '../../../../receiver/receive.ts'
import { createApp } from '../../../../server/app.ts'
import { createHttpServer } from '../../../../server/http/http-server.ts'
import { openConnection, type RawConnection, requestHead } from '../../../support/raw-connection.ts'
import { until } from '../../../support/until.ts'
import { events, signed, verify } from '../../support.ts'

const source = events('read')

/** Starts a receiver with a small room for bodies. */
async function serve(maxHeldBytes = 64 * 1024) {
  const overload = createOverload({ maxHeldBytes })
  const outcomes: DeliveryOutcome[] = []
  const onOutcome = (outcome: DeliveryOutcome) => void outcomes.push(outcome)
  const app = createApp({ verify, inbox: memoryInbox(), overload, onOutcome })
  const { server } = createHttpServer(app, { bodyTimeoutMs: 10_000, maxConnections: 1000 })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const refusals = () => outcomes.map((result) => result.outcome === 'refused' && result.error.code)
  return { overload, refusals, dial: () => openConnection(url) }
}

const chunked = (header: string) =>
  requestHead(`X-Service-Signature: ${header}`, 'Transfer-Encoding: chunked')
const inChunksOf = (size: number, body: Buffer) =>
  Buffer.concat(
    Array.from({ length: Math.ceil(body.length / size) }, (_, index) => {
      const chunk = body.subarray(index * size, (index + 1) * size)
      return Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])
    }),
  )
const LAST_CHUNK = '0\r\n\r\n'
const single = (count: number) => '1\r\nx\r\n'.repeat(count)

const answered = async (connection: RawConnection) => {
  await until(() => connection.received().includes('}') || connection.closed())
  return connection.received()
}

describe('a body in chunks of one byte', () => {
  it.each([
    ['one byte, up to 4,096 of them', 3000, 1],
    ['33 bytes, however many', 300_000, 33],
  ])('is accepted with chunks of %s', async (_, noteBytes, size) => {
    const { dial, overload } = await serve(1024 * 1024)
    const { body, header } = signed(source.event('completed', { note: 'x'.repeat(noteBytes) }))
    const connection = await dial()
    connection.socket.write(chunked(header))
    connection.socket.write(inChunksOf(size, body))
    connection.socket.write(LAST_CHUNK)
    expect(await answered(connection)).toMatch(/^HTTP\/1\.1 200 /)
    expect(overload.heldBytes).toBe(0)
  })

  it('is refused with more chunks, and the connection is closed', async () => {
    const { dial, overload, refusals } = await serve(1024 * 1024)
    const connection = await dial()
    connection.socket.write(chunked('t=1,v1=0'))
    connection.socket.write(single(5000))
    await until(() => refusals().length > 0)
    expect(refusals()).toEqual(['body_too_fragmented'])
    expect(overload.heldBytes).toBe(0)
    await until(connection.closed)
  })
})

it('a chunk extension of megabytes is refused by Node.js', async () => {
  const { dial } = await serve()
  const connection = await dial()
  connection.socket.write(chunked('t=1,v1=0'))
  connection.socket.write(`1;${'a'.repeat(64 * 1024)}`)
  await until(connection.closed)
  expect(connection.received()).toMatch(/^HTTP\/1\.1 4\d\d |^$/)
})

it.each([
  ['GET /healthz', ''],
  ['POST /missing', ''],
  ['PUT /webhooks', ''],
  ['POST /webhooks', 'Expect: something\r\n'],
])(
  'endless small chunks to %s, %j, are drained up to a limit, then the connection is closed',
  async (line, header) => {
    const { dial } = await serve()
    const connection = await dial()
    connection.socket.write(`${line} HTTP/1.1\r\nHost: test\r\n${header}Transfer-Encoding: chunked\r\n\r\n`)
    const piece = single(10_000)
    let pieces = 0
    while (!connection.closed() && pieces < 1000) {
      pieces += 1
      if (!connection.socket.write(piece)) {
        await until(() => connection.closed() || !connection.socket.writableNeedDrain)
      }
    }
    // 8192 chunks, and the buffers of both sides.
    expect(pieces).toBeLessThan(500)
  },
)

describe('incomplete bodies that fill the room', () => {
  it('are evicted with 503, and every complete delivery is accepted', async () => {
    const { dial, overload, refusals } = await serve()
    const held = await Promise.all(Array.from({ length: 8 }, dial))
    for (const { socket } of held) {
      socket.write(requestHead('X-Service-Signature: t=1,v1=0', 'Content-Length: 10001'))
      socket.write(Buffer.alloc(10_000, 'x'))
    }
    await until(() => refusals().length === 2)
    for (let n = 0; n < 20; n += 1) {
      const { body, header } = signed(source.event('completed', { note: 'y'.repeat(20_000) }))
      const connection = await dial()
      connection.socket.write(requestHead(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`))
      connection.socket.write(body)
      expect(await answered(connection)).toMatch(/^HTTP\/1\.1 200 /)
      connection.socket.destroy()
    }
    const evicted = held.filter(({ received }) => received() !== '')
    expect(evicted.length).toBeGreaterThanOrEqual(3)
    for (const { received } of evicted) {
      expect(received()).toMatch(/^HTTP\/1\.1 503 /)
      expect(received()).toMatch(/\r\nRetry-After: 5\r\n/)
      expect(received()).toMatch(/\r\nConnection: close\r\n/)
      expect(received()).toContain('"body_evicted"')
    }
    expect(overload.heldBytes).toBe((held.length - evicted.length) * 10_000)
  })
})

it('a body that arrives byte by byte counts until it is stored', async () => {
  const { dial, overload } = await serve()
  const { body, header } = signed(source.event('completed'))
  const connection = await dial()
  connection.socket.setNoDelay(true)
  connection.socket.write(requestHead(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`))
  for (let sent = 0; sent < 20; sent += 1) {
    connection.socket.write(body.subarray(sent, sent + 1))
    await until(() => overload.heldBytes === 1 + sent)
  }
  connection.socket.write(body.subarray(20))
  expect(await answered(connection)).toMatch(/^HTTP\/1\.1 200 /)
  await until(() => overload.heldBytes === 0)
})

it('a body that began to arrive before the handler was called is evicted like any other', async () => {
  const overload = createOverload({ maxHeldBytes: 100 })
  overload.reserve(100)
  const app = express()
  app.use(async (request, _response, next) => {
    await until(() => request.readableLength > 0)
    next()
  })
  app.post('/webhooks', webhookHandler({ verify, inbox: memoryInbox(), overload }))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const connection = await openConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  connection.socket.write(`${chunked('t=1,v1=0')}1\r\nx\r\n`)
  expect(await answered(connection)).toMatch(/^HTTP\/1\.1 503 [^]*"body_evicted"/)
  expect(overload.heldBytes).toBe(100)
})
