import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { DeliveryOutcome } from '../../receiver/handler.ts'
import { memoryInbox } from '../../receiver/inbox/memory.ts'
import { createApp } from '../../server/app.ts'
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
  onFailure: (error) => void failures.push(error),
})
const server = createServer(app)

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function dial(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Reads what comes until as many answers have come as were asked for, or the connection ends. */
async function answers(socket: Socket, count = 1): Promise<string> {
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    // Each answer ends with the brace of its JSON.
    if ((text.match(/\r\n\r\n\{[^}]*\}/g) ?? []).length >= count) break
  }
  return text
}

const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

const head = (...headers: string[]) =>
  `${['POST /webhooks HTTP/1.1', 'Host: test', ...headers].join('\r\n')}\r\n\r\n`

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const source = events('wire')
const valid = () => signed(source.event('completed', { metadata: { note: 'zwölf Bücher – 書籍' } }))

describe('on the wire', () => {
  it('finds the header in any spelling of its name, and without a content type', async () => {
    for (const name of ['x-service-signature', 'X-SERVICE-SIGNATURE']) {
      const { body, header } = valid()
      const socket = await dial()
      socket.write(head(`${name}: ${header}`, `Content-Length: ${body.length}`))
      socket.write(body)
      expect(statusesOf(await answers(socket))).toEqual([200])
    }
  })

  it('takes a body in chunks of one byte, cut inside characters', async () => {
    const { body, header } = valid()
    const socket = await dial()
    socket.setNoDelay(true)
    socket.write(head(`X-Service-Signature: ${header}`, 'Transfer-Encoding: chunked'))
    for (const byte of body) socket.write(chunk(Buffer.from([byte])))
    socket.write('0\r\n\r\n')
    expect(statusesOf(await answers(socket))).toEqual([200])
  })

  it('takes a body that comes slowly', async () => {
    const { body, header } = valid()
    const socket = await dial()
    socket.write(head(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`))
    for (let at = 0; at < body.length; at += 100) {
      socket.write(body.subarray(at, at + 100))
      await pause(10)
    }
    expect(statusesOf(await answers(socket))).toEqual([200])
  })

  it('takes several deliveries on one connection, also when sent without waiting', async () => {
    const socket = await dial()
    for (const { body, header } of [valid(), valid(), valid()]) {
      socket.write(head(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`))
      socket.write(body)
    }
    expect(statusesOf(await answers(socket, 3))).toEqual([200, 200, 200])
  })

  it('takes a body announced by Expect: 100-continue', async () => {
    const { body, header } = valid()
    const socket = await dial()
    socket.write(
      head(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`, 'Expect: 100-continue'),
    )
    const [go] = await once(socket, 'data')
    expect(String(go)).toContain('100 Continue')
    socket.write(body)
    expect(statusesOf(await answers(socket))).toEqual([200])
  })

  it('refuses two signature headers, though each is right', async () => {
    const { body, header } = valid()
    const line = `X-Service-Signature: ${header}`
    const socket = await dial()
    socket.write(head(line, line, `Content-Length: ${body.length}`))
    socket.write(body)
    const text = await answers(socket)
    expect(statusesOf(text)).toEqual([400])
    expect(text).toContain('"t_duplicated"')
  })

  it('refuses a body whose announced length is above the limit, and hears it out', async () => {
    const body = Buffer.alloc(3 * 1024 * 1024, 'x')
    const socket = await dial()
    socket.write(head('X-Service-Signature: t=1,v1=0', `Content-Length: ${body.length}`))
    socket.write(body)
    const next = valid()
    socket.write(head(`X-Service-Signature: ${next.header}`, `Content-Length: ${next.body.length}`))
    socket.write(next.body)
    const text = await answers(socket, 2)
    expect(statusesOf(text)).toEqual([413, 200])
    expect(text).toContain('"body_too_large"')
  })

  it('refuses such a body before any of it has come', async () => {
    const socket = await dial()
    socket.write(head('X-Service-Signature: t=1,v1=0', `Content-Length: ${2 ** 30}`))
    expect(statusesOf(await answers(socket))).toEqual([413])
  })

  it('refuses a chunked body once it is above the limit, and hears it out', async () => {
    const socket = await dial()
    socket.write(head('X-Service-Signature: t=1,v1=0', 'Transfer-Encoding: chunked'))
    for (let sent = 0; sent < 5; sent++) socket.write(chunk(Buffer.alloc(32 * 1024, 'x')))
    socket.write('0\r\n\r\n')
    const next = valid()
    socket.write(head(`X-Service-Signature: ${next.header}`, `Content-Length: ${next.body.length}`))
    socket.write(next.body)
    expect(statusesOf(await answers(socket, 2))).toEqual([413, 200])
  })

  it('bears a sender who goes away in the middle, in silence, and takes the next delivery', async () => {
    const printed = vi.spyOn(console, 'error')
    const { body, header } = valid()
    for (const headers of [[`Content-Length: ${body.length}`], ['Transfer-Encoding: chunked']]) {
      const before = outcomes.length
      const socket = await dial()
      socket.write(head(`X-Service-Signature: ${header}`, ...headers))
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
    const socket = await dial()
    socket.write(head(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`))
    socket.write(body)
    expect(statusesOf(await answers(socket))).toEqual([200])
    expect(printed).not.toHaveBeenCalled()
    expect(failures).toEqual([])
    printed.mockRestore()
  })

  it('answers a header that is too long with a status below 500', async () => {
    const socket = await dial()
    socket.write(head(`X-Service-Signature: ${'v1=0,'.repeat(20_000)}`, 'Content-Length: 0'))
    let text = ''
    for await (const part of socket) text += String(part)
    expect(statusesOf(text)).toEqual([431])
  })
})

const get = async (path: string, method = 'GET') => {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('other requests', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('refuses deliveries by %s', async (method) => {
    const { status, headers, body } = await get('/webhooks', method)
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    expect(body).toMatchObject({ code: 'method_not_allowed' })
  })

  it('says that it is well, and not what it runs on', async () => {
    const { status, headers, body } = await get('/healthz')
    expect([status, body]).toEqual([200, { status: 'ok' }])
    expect(headers.get('x-powered-by')).toBeNull()
  })

  it.each(['/', '/nothing', '/observe?payment_id=tx_1', '/%E0%A4%A'])('knows nothing at %s', async (path) => {
    const { status, body } = await get(path)
    expect([status, body]).toEqual([404, { error: expect.any(String), code: 'not_found' }])
  })
})

describe('an observed receiver', () => {
  it('shows effects, asks for a payment, and hides why it failed', async () => {
    const told: unknown[] = []
    let failing = false
    const observed = createServer(
      createApp({
        verify,
        inbox: memoryInbox(),
        onFailure: (error) => void told.push(error),
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
      '{"error":"The receiver failed. Its log says why.","code":"internal_error"}',
    )
    expect(told).toHaveLength(1)
    observed.closeAllConnections()
    observed.close()
  })
})
