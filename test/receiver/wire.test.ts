import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { memoryInbox } from '../../receiver/inbox/memory.ts'
import type { DeliveryOutcome } from '../../receiver/receive.ts'
import { createApp } from '../../server/app.ts'
import { openConnection, type RawConnection, requestHead } from '../support/raw-connection.ts'
import { until } from '../support/until.ts'
import { events, signed, verify } from './support.ts'

const inbox = memoryInbox()
const outcomes: DeliveryOutcome[] = []
const failures: unknown[] = []
const app = createApp({
  verify,
  inbox,
  limitBytes: 64 * 1024,
  onOutcome: (outcome) => void outcomes.push(outcome),
  onError: (error) => void failures.push(error),
})
const server = createServer(app)

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const dial = () => openConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

/** Waits until as many answers have arrived, or the connection is closed. @returns what was received */
async function answers({ received, closed }: RawConnection, count = 1): Promise<string> {
  // Each answer ends with the brace of its JSON.
  await until(() => closed() || (received().match(/\r\n\r\n\{[^}]*\}/g) ?? []).length >= count)
  return received()
}

const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const source = events('wire')
const valid = () => signed(source.event('completed', { metadata: { note: 'zwölf Bücher – 書籍' } }))

describe('a delivery on the wire', () => {
  it('is accepted with any case of the header name, and without a content type', async () => {
    for (const name of ['x-service-signature', 'X-SERVICE-SIGNATURE']) {
      const { body, header } = valid()
      const connection = await dial()
      const { socket } = connection
      socket.write(requestHead(`${name}: ${header}`, `Content-Length: ${body.length}`))
      socket.write(body)
      expect(statusesOf(await answers(connection))).toEqual([200])
    }
  })

  it('is accepted in chunks of one byte, which split characters', async () => {
    const { body, header } = valid()
    const connection = await dial()
    const { socket } = connection
    socket.setNoDelay(true)
    socket.write(requestHead(`X-Service-Signature: ${header}`, 'Transfer-Encoding: chunked'))
    for (const byte of body) socket.write(chunk(Buffer.from([byte])))
    socket.write('0\r\n\r\n')
    expect(statusesOf(await answers(connection))).toEqual([200])
  })

  it('is accepted when its body arrives slowly', async () => {
    const { body, header } = valid()
    const connection = await dial()
    const { socket } = connection
    socket.write(requestHead(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`))
    for (let at = 0; at < body.length; at += 100) {
      socket.write(body.subarray(at, at + 100))
      await pause(10)
    }
    expect(statusesOf(await answers(connection))).toEqual([200])
  })

  it('is accepted as one of several that are pipelined on one connection', async () => {
    const connection = await dial()
    const { socket } = connection
    for (const { body, header } of [valid(), valid(), valid()]) {
      socket.write(requestHead(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`))
      socket.write(body)
    }
    expect(statusesOf(await answers(connection, 3))).toEqual([200, 200, 200])
  })

  it('is accepted with Expect: 100-continue', async () => {
    const { body, header } = valid()
    const connection = await dial()
    const { socket } = connection
    socket.write(
      requestHead(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`, 'Expect: 100-continue'),
    )
    await until(() => connection.received().includes('100 Continue'))
    socket.write(body)
    expect(statusesOf(await answers(connection))).toEqual([100, 200])
  })

  it('is refused with two signature headers, even if both are valid', async () => {
    const { body, header } = valid()
    const line = `X-Service-Signature: ${header}`
    const connection = await dial()
    const { socket } = connection
    socket.write(requestHead(line, line, `Content-Length: ${body.length}`))
    socket.write(body)
    const text = await answers(connection)
    expect(statusesOf(text)).toEqual([400])
    expect(text).toContain('"t_duplicated"')
  })

  it('is refused and drained when its Content-Length is above the limit', async () => {
    const body = Buffer.alloc(3 * 1024 * 1024, 'x')
    const connection = await dial()
    const { socket } = connection
    socket.write(requestHead('X-Service-Signature: t=1,v1=0', `Content-Length: ${body.length}`))
    socket.write(body)
    const next = valid()
    socket.write(requestHead(`X-Service-Signature: ${next.header}`, `Content-Length: ${next.body.length}`))
    socket.write(next.body)
    const text = await answers(connection, 2)
    expect(statusesOf(text)).toEqual([413, 200])
    expect(text).toContain('"body_too_large"')
  })

  it('is refused before its body arrives when its Content-Length is above the limit', async () => {
    const connection = await dial()
    const { socket } = connection
    socket.write(requestHead('X-Service-Signature: t=1,v1=0', `Content-Length: ${2 ** 30}`))
    expect(statusesOf(await answers(connection))).toEqual([413])
  })

  it('is refused and drained when its chunked body exceeds the limit', async () => {
    const connection = await dial()
    const { socket } = connection
    socket.write(requestHead('X-Service-Signature: t=1,v1=0', 'Transfer-Encoding: chunked'))
    for (let sent = 0; sent < 5; sent++) socket.write(chunk(Buffer.alloc(32 * 1024, 'x')))
    socket.write('0\r\n\r\n')
    const next = valid()
    socket.write(requestHead(`X-Service-Signature: ${next.header}`, `Content-Length: ${next.body.length}`))
    socket.write(next.body)
    expect(statusesOf(await answers(connection, 2))).toEqual([413, 200])
  })

  it('is refused without output when the sender disconnects, and the next one is accepted', async () => {
    const printed = vi.spyOn(console, 'error')
    const { body, header } = valid()
    for (const headers of [[`Content-Length: ${body.length}`], ['Transfer-Encoding: chunked']]) {
      const before = outcomes.length
      const connection = await dial()
      const { socket } = connection
      socket.write(requestHead(`X-Service-Signature: ${header}`, ...headers))
      socket.write(headers[0]?.startsWith('T') ? chunk(body.subarray(0, 50)) : body.subarray(0, 50))
      await pause(20)
      socket.resetAndDestroy()
      await until(() => outcomes.length > before)
      expect(outcomes.at(-1)).toMatchObject({
        outcome: 'refused',
        status: 400,
        error: { code: 'body_truncated' },
      })
    }
    const connection = await dial()
    const { socket } = connection
    socket.write(requestHead(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`))
    socket.write(body)
    expect(statusesOf(await answers(connection))).toEqual([200])
    expect(printed).not.toHaveBeenCalled()
    expect(failures).toEqual([])
    printed.mockRestore()
  })

  it('is answered with 431 when a header is too long', async () => {
    const connection = await dial()
    const { socket } = connection
    socket.write(requestHead(`X-Service-Signature: ${'v1=0,'.repeat(20_000)}`, 'Content-Length: 0'))
    await until(connection.closed)
    expect(statusesOf(connection.received())).toEqual([431])
  })
})

const get = async (path: string, method = 'GET') => {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('other requests', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('refuses deliveries with %s', async (method) => {
    const { status, headers, body } = await get('/webhooks', method)
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    expect(body).toMatchObject({ code: 'method_not_allowed' })
  })

  it('reports healthy, without naming the software', async () => {
    const { status, headers, body } = await get('/healthz')
    expect([status, body]).toEqual([200, { status: 'ok' }])
    expect(headers.get('x-powered-by')).toBeNull()
  })

  it.each(['/healthz/', '/Healthz', '/healthz?from=test'])('reports healthy at %s', async (path) => {
    expect(await get(path)).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  it('answers HEAD without a body, and 404 to other methods', async () => {
    const { port } = server.address() as AddressInfo
    const head = await fetch(`http://127.0.0.1:${port}/healthz`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '15', ''])
    expect(await get('/healthz', 'POST')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it.each(['/webhooks', '/webhooks/', '/Webhooks', '/webhooks?from=test'])(
    'takes POST %s for a delivery',
    async (path) => {
      const { status, body } = await get(path, 'POST')
      expect([status, body]).toMatchObject([400, { code: 'header_missing' }])
    },
  )

  it.each(['/webhooks//', '/webhooks/1', '/webhooks1', '/'])('answers 404 to POST %s', async (path) => {
    const { status, body } = await get(path, 'POST')
    expect([status, body]).toMatchObject([404, { code: 'not_found' }])
  })

  it.each(['/', '/nothing', '/observe?payment_id=tx_1', '/%E0%A4%A'])('answers 404 at %s', async (path) => {
    const { status, body } = await get(path)
    expect([status, body]).toEqual([404, { error: expect.any(String), code: 'not_found' }])
  })
})

describe('a receiver with GET /observe', () => {
  it('shows effects, requires one payment id, and hides the cause of a failure', async () => {
    const reported: unknown[] = []
    let failing = false
    const observed = createServer(
      createApp({
        verify,
        inbox: memoryInbox(),
        onError: (error) => void reported.push(error),
        orders: {
          handle: async () => {},
          transact: () => false,
          observe: async () => {
            if (failing) throw new Error('ledger file /secret/place is gone')
            return { effects: [] }
          },
        },
      }),
    )
    await once(observed.listen(0, '127.0.0.1'), 'listening')
    const base = `http://127.0.0.1:${(observed.address() as AddressInfo).port}/observe`
    expect(await (await fetch(`${base}?payment_id=tx_1`)).json()).toEqual({ effects: [] })
    for (const query of ['', '?payment_id=', '?payment_id=a&payment_id=b']) {
      const response = await fetch(base + query)
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'payment_id_missing' }])
    }
    failing = true
    const response = await fetch(`${base}?payment_id=tx_1`)
    expect(response.status).toBe(500)
    expect(await response.text()).toBe(
      '{"error":"Internal error. See the log of the receiver.","code":"internal_error"}',
    )
    expect(reported).toHaveLength(1)
    observed.closeAllConnections()
    observed.close()
  })
})
