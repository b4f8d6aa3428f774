import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import { sendPipelined, sendRaw } from '../../../../conformance/engine/wire/sender.ts'
import { freePort } from '../../../support/free-port.ts'
import { bytesOf, first, noted, OK, recorder, senderTo, targetOf } from './raw-server.ts'

const two: readonly Delivery[] = [noted, { ...noted, body: Buffer.from('{"note":"the second"}') }]
const pipeline = (url: string, deliveries = two, timeoutMs = 2_000) =>
  sendPipelined(deliveries, targetOf(url, { timeoutMs }), senderTo(url))
const CLOSING = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

describe('pipelined deliveries', () => {
  it('are sent in one write, on one connection, before any response', async () => {
    const { url, connections } = await recorder(OK)
    const exchanges = await pipeline(url)

    expect(exchanges.map(({ answer }) => answer?.status)).toEqual([200, 200])
    expect(connections).toHaveLength(1)
    const sent = bytesOf(first(connections)).toString()
    expect(sent.match(/POST \/hooks\?shop=1 HTTP\/1\.1\r/g)).toHaveLength(2)
    expect(sent.indexOf('the second')).toBeGreaterThan(sent.indexOf('🎁'))
  })

  it('get their responses in order', async () => {
    let count = 0
    const { url } = await recorder('', ({ socket, pieces }) => {
      if (Buffer.concat(pieces).includes('the second') && count === 0) {
        count += 1
        socket.write(
          'HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\nHTTP/1.1 100 Go on\r\n',
        )
        setTimeout(() => socket.write('\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes'), 20)
      }
      return true
    })
    const exchanges = await pipeline(url)

    expect(exchanges.map(({ answer }) => [answer?.status, answer?.body.toString()])).toEqual([
      [401, 'no'],
      [200, 'yes'],
    ])
    // Without the stalls of this process, nothing may be left of the time.
    const { ms = 0, wallMs = ms } = first(exchanges).answer ?? {}
    expect(wallMs).toBeGreaterThan(0)
  })

  it('get their responses when all arrive in one packet', async () => {
    const five = Array.from({ length: 5 }, (_, n) => ({ ...noted, body: Buffer.from(`{"n":${n}}`) }))
    const bodies = five.map((_, n) => `HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${n}`)
    const { url } = await recorder('', ({ socket, pieces }) => {
      if (Buffer.concat(pieces).includes('{"n":4}')) socket.write(bodies.join(''))
      return true
    })
    const exchanges = await pipeline(url, five)
    expect(exchanges.map(({ answer }) => answer?.body.toString())).toEqual(['0', '1', '2', '3', '4'])
  })

  it('are sent again if the receiver closes the connection without answering them', async () => {
    const { url, connections } = await recorder(CLOSING)
    const exchanges = await pipeline(url)

    expect(exchanges.map(({ answer }) => answer?.status)).toEqual([200, 200])
    expect(connections).toHaveLength(2)
    expect(connections[1] && bytesOf(connections[1]).toString()).toContain('the second')
  })

  it.each<[string, string, string]>([
    ['no HTTP', 'SSH-2.0\r\n\r\n', 'garbled'],
    ['a head without an end', 'HTTP/1.1 200 OK\r\nConte', 'reset'],
    ['nothing', '', 'reset'],
  ])('are not answered by %s', async (_, bytes, code) => {
    const { url } = await recorder('', ({ socket }) => {
      socket.end(bytes)
      return true
    })
    const exchanges = await pipeline(url)

    expect(exchanges.map(({ answer, error }) => [answer, error?.code])).toEqual([
      [undefined, code],
      [undefined, code],
    ])
  })

  it('report a timeout or a closed port as an error', async () => {
    const { url } = await recorder('', () => true)
    expect((await pipeline(url, two, 80)).map(({ error }) => error?.code)).toEqual(['timeout', 'timeout'])

    const dead = `http://127.0.0.1:${await freePort()}`
    expect((await pipeline(dead)).map(({ error }) => error?.code)).toEqual(['refused', 'refused'])
  })
})

describe('a response of several ends', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\n'
  const NEXT = 'HTTP/1.1 204 No Content\r\n\r\n'
  /** What two pipelined deliveries get, when the bytes arrive in two packets that are cut at a place. */
  async function answersTo(bytes: string, cut = bytes.length) {
    let count = 0
    const { url } = await recorder('', ({ socket, pieces }) => {
      if (!Buffer.concat(pieces).includes('the second')) return true
      count += 1
      if (count > 1) return true
      socket.write(bytes.slice(0, cut), 'latin1')
      setTimeout(() => socket.end(bytes.slice(cut), 'latin1'), 5)
      return true
    })
    const exchanges = await pipeline(url, two, 500)
    return exchanges.map(({ answer, error }) => answer?.body.toString() ?? error?.code)
  }

  it.each([
    ['a length', `${HEAD}Content-Length: 2\r\n\r\nok`],
    ['chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\no\r\n1;x=y\r\nk\r\n0\r\n\r\n`],
    ['chunks and trailers', `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nA: b\r\n\r\n`],
  ])('at the byte given by %s', async (_, text) => {
    for (let cut = 0; cut <= text.length + 3; cut += 7)
      expect(await answersTo(`${text}${NEXT}`, cut)).toEqual(['ok', ''])
  })

  it.each([
    'HTTP/2 200\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    `${HEAD}no colon\r\n\r\n`,
    `${HEAD}Content-Length: two\r\n\r\n`,
    `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n-6\r\n`,
  ])('with an error if it is malformed: %j', async (text) => {
    expect(await answersTo(text)).toEqual(['garbled', 'garbled'])
  })

  it('with a body of limited length', async () => {
    const { url } = await recorder(`${HEAD}Content-Length: 70000\r\n\r\n${'x'.repeat(70_000)}`)
    const [answer] = (await pipeline(url)).map((exchange) => exchange.answer)
    expect(answer?.body).toHaveLength(64 * 1024)
    expect(answer?.truncated).toBe(true)
  })

  it('and the connection with it, if the body is far too long to be read byte by byte', async () => {
    const { url, connections } = await recorder(
      `${HEAD}Content-Length: 2000000\r\n\r\n${'x'.repeat(2_000_000)}`,
    )
    const answers = (await pipeline(url, two, 20_000)).map((exchange) => exchange.answer)
    expect(answers.map((answer) => [answer?.status, answer?.truncated])).toEqual([
      [200, true],
      [200, true],
    ])
    // The second delivery is sent again.
    expect(connections).toHaveLength(2)
  })
})

describe('a raw delivery', () => {
  it('is sent as it stands, with any bytes and in the given version, on a separate connection', async () => {
    const { url, connections } = await recorder(OK)
    const delivery: Delivery = {
      ...noted,
      signature: ['t=1\0,v1=\u00e9'],
      signatureEncoding: 'latin1',
      route: (path) => `/${path}`,
      transport: { kind: 'raw', version: '1.0' },
    }
    const { answer } = await sendRaw(delivery, targetOf(url))

    expect(answer?.status).toBe(200)
    const sent = bytesOf(first(connections)).toString('latin1')
    expect(sent).toMatch(/^POST \/\/hooks\?shop=1 HTTP\/1\.0\r\n/)
    expect(sent).toContain('X-Service-Signature: t=1\0,v1=\u00e9\r\n')
  })

  it('reports a connection that is closed without a response', async () => {
    const { url } = await recorder('', ({ socket }) => {
      socket.end()
      return true
    })

    expect(await sendRaw(noted, targetOf(url))).toMatchObject({ answer: undefined, error: { code: 'reset' } })
  })
})
