import { once } from 'node:events'
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseRoute, routeMap } from '../../../sandbox/deliveries/routes.ts'
import { createSender, type Exchange, type SenderOptions } from '../../../sandbox/deliveries/sender.ts'
import { type Resolver, vettedLookup } from '../../../sandbox/deliveries/targets.ts'
import { freePort } from '../../support/free-port.ts'
import { missingProgram, requires } from '../../support/prerequisites.ts'
import { until } from '../../support/until.ts'
import type { Respond } from '../support.ts'
import { certificateFor, receiver } from './support.ts'

const openssl = requires(missingProgram('openssl', 'version'))

// Bytes that decoding would change: invalid UTF-8 and a byte-order mark.
const body = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x22, 0xff, 0x00, 0x22, 0x7d])
const signature = 't=1,v1=00'

function sender(options: SenderOptions) {
  const made = createSender(options)
  onTestFinished(() => made.close())
  const never = new AbortController().signal
  return {
    ...made,
    post: (url = 'https://shop.example/', signal = never) => made.send({ url, body, signature }, signal),
  }
}

/** Sends to a receiver on this machine through a route. */
const routedTo = (port: number, options: SenderOptions = {}) =>
  sender({ ...options, routes: routeMap([parseRoute(`https://shop.example/=http://127.0.0.1:${port}/in`)]) })

async function answered(respond: Respond, options?: SenderOptions): Promise<Exchange> {
  const { port } = await receiver(respond)
  return routedTo(port, options).post()
}

/** A receiver that answers the first bytes of each connection with bytes of its own. @returns its port */
async function rawReceiver(answer: (socket: Socket) => void): Promise<number> {
  const server = createNetServer((socket) => {
    socket.on('error', () => undefined).once('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('through a route', () => {
  test('sends the original bytes, signature and Host', async () => {
    const { port, received } = await receiver((_request, response) => {
      response.writeHead(201, { 'X-One': 'a', 'Set-Cookie': ['b', 'c'] }).end('thanks')
    })
    const exchange = await routedTo(port).post('https://shop.example/hooks?a=b')
    expect(received).toHaveLength(1)
    expect(received[0]?.path).toBe('/in/hooks?a=b')
    expect(received[0]?.body.equals(body)).toBe(true)
    expect(received[0]?.headers).toEqual({
      host: 'shop.example',
      'user-agent': 'hookproof-sandbox',
      'content-type': 'application/json',
      'x-service-signature': signature,
      'content-length': '9',
      connection: 'keep-alive',
    })
    expect(exchange.sent).toMatchObject({ Host: 'shop.example', 'X-Service-Signature': signature })
    expect(exchange.response).toMatchObject({
      status: 201,
      truncated: false,
      headers: { 'X-One': 'a', 'Set-Cookie': ['b', 'c'] },
    })
    expect(exchange.response?.body.toString()).toBe('thanks')
    expect(exchange.failure).toBeUndefined()
  })

  openssl.test(
    'checks the certificate against the host in the route, and keeps the original Host',
    async () => {
      const certificate = certificateFor('DNS:localhost')
      const { port, received } = await receiver(undefined, certificate)
      const routes = routeMap([parseRoute(`https://shop.example/=https://localhost:${port}/`)])
      const { response } = await sender({ routes, ca: certificate.cert }).post('https://shop.example:8443/')
      expect(response).toBeUndefined()
      const exchange = await sender({ routes, ca: certificate.cert }).post()
      expect(exchange.failure).toBeUndefined()
      expect(received[0]).toMatchObject({ servername: 'localhost', headers: { host: 'shop.example' } })
    },
  )

  test('keeps connections alive, and reconnects when the receiver closed one', async () => {
    let requests = 0
    const { port, received, connections } = await receiver((_request, response) => {
      requests += 1
      // The second request on a connection finds it closed, as after a receiver's own idle time.
      if (requests === 2) response.socket?.destroy()
      else response.end()
    })
    const { post } = routedTo(port)
    expect((await post()).response?.status).toBe(200)
    expect((await post()).response?.status).toBe(200)
    expect(received).toHaveLength(3)
    expect(connections()).toBe(2)
  })
})

openssl.describe('without a route', () => {
  const certificate = certificateFor('DNS:shop.example')
  // 127.0.0.1 stands for a public address.
  const isPublic = (address: string) => address === '127.0.0.1'
  const resolvingTo = (...addresses: string[]): Resolver => {
    let lookups = 0
    return (_name, callback) => {
      const address = addresses[Math.min(lookups, addresses.length - 1)] ?? ''
      lookups += 1
      callback(null, [{ address, family: 4 }])
    }
  }

  test('connects to the checked address, with the original Host and server name', async () => {
    const { port, received } = await receiver(undefined, certificate)
    const lookup = vettedLookup(resolvingTo('127.0.0.1'), isPublic)
    const exchange = await sender({ lookup, ca: certificate.cert }).post(`https://shop.example:${port}/hooks`)
    expect(exchange.response?.status).toBe(200)
    expect(received[0]).toMatchObject({
      path: '/hooks',
      servername: 'shop.example',
      headers: { host: `shop.example:${port}` },
    })
    expect(received[0]?.body.equals(body)).toBe(true)
  })

  test('blocks a name that was rebound, and sends nothing', async () => {
    const { port, received, connections } = await receiver((_request, response) => {
      response.setHeader('Connection', 'close').end()
    }, certificate)
    const lookup = vettedLookup(resolvingTo('127.0.0.1', '127.0.0.2'), isPublic)
    const { post } = sender({ lookup, ca: certificate.cert })
    expect((await post(`https://shop.example:${port}/`)).response?.status).toBe(200)
    expect((await post(`https://shop.example:${port}/`)).failure).toMatchObject({
      error: 'blocked',
      detail: expect.stringContaining('--route'),
    })
    expect([received.length, connections()]).toEqual([1, 1])
  })

  test.each([
    ...['localhost', '127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'].map(
      (host) => `https://${host}:PORT/`,
    ),
    'http://shop.example:PORT/',
    'not a URL',
  ])('blocks %s before connecting, even if the lookup allows everything', async (url) => {
    const { port, connections } = await receiver(undefined, certificate)
    const lookup = vettedLookup(resolvingTo('127.0.0.1'), () => true)
    const exchange = await sender({ lookup, ca: certificate.cert }).post(url.replace('PORT', String(port)))
    expect(exchange).toMatchObject({ sent: {}, failure: { error: 'blocked' } })
    expect(connections()).toBe(0)
  })

  test.each([
    ['not trusted', certificate, undefined],
    ['for another name', certificateFor('DNS:other.example'), 'own'],
  ])('a certificate that is %s fails the TLS handshake', async (_what, presented, trust) => {
    const { port, received } = await receiver(undefined, presented)
    const lookup = vettedLookup(resolvingTo('127.0.0.1'), isPublic)
    const ca = trust === undefined ? undefined : presented.cert
    const { failure } = await sender({ lookup, ca }).post(`https://shop.example:${port}/`)
    expect(failure?.error).toBe('certificate')
    expect(received).toHaveLength(0)
  })
})

describe('a failure', () => {
  test('is `tls` when the receiver does not use https, and says so', async () => {
    const { port } = await receiver()
    const route = parseRoute(`https://shop.example/=https://127.0.0.1:${port}/`)
    const { failure } = await sender({ routes: routeMap([route]) }).post()
    expect(failure).toEqual({ error: 'tls', detail: expect.stringContaining('does the receiver use https?') })
  })

  test('is `refused` when nothing listens', async () => {
    const exchange = await routedTo(await freePort()).post()
    expect(exchange.failure).toEqual({ error: 'refused', detail: expect.stringContaining('ECONNREFUSED') })
    expect(exchange.response).toBeUndefined()
  })

  test('is `dns` when the name has no address', async () => {
    const lookup = vettedLookup((_name, callback) => callback(null, []))
    const { failure } = await sender({ lookup }).post()
    expect(failure?.error).toBe('dns')
  })

  test('is `reset` when the connection closes before the response, in its head or in its body', async () => {
    expect((await answered((_q, response) => response.socket?.destroy())).failure?.error).toBe('reset')
    expect(
      (await answered((_q, response) => response.socket?.end('HTTP/1.1 200 OK\r\nConte'))).failure?.error,
    ).toBe('reset')
    const inBody: Respond = (_q, response) =>
      response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab')
    const { failure, response } = await answered(inBody)
    expect([failure?.error, response]).toEqual(['reset', undefined])
  })

  test.each([
    ['not HTTP', 'hello\r\n\r\n'],
    ['one with two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a protocol switch', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
    ['one with an endless head', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(40_000)}`],
  ])('is `reset` when the response is %s', async (_what, bytes) => {
    const port = await rawReceiver((socket) => socket.write(bytes))
    const { failure } = await routedTo(port, { timeoutMs: 3000 }).post()
    expect(failure?.error).toBe('reset')
  })

  test('is `timeout` when the time is over before the response, or in its body', async () => {
    const { failure, durationMs } = await answered(() => {}, { timeoutMs: 150 })
    expect(failure).toEqual({ error: 'timeout', detail: 'no complete response within 0.15 s' })
    expect(durationMs).toBeGreaterThanOrEqual(140)
    const drip: Respond = (_q, response) => {
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    }
    expect((await answered(drip, { timeoutMs: 150 })).failure?.error).toBe('timeout')
  })

  test('is `timeout` when the DNS lookup takes too long', async () => {
    const lookup = vettedLookup(() => {})
    expect((await sender({ lookup, timeoutMs: 100 }).post()).failure?.error).toBe('timeout')
  })

  test('is `aborted` when the attempt was aborted', async () => {
    const { port, received, server } = await receiver(() => {})
    let open = 0
    server.on('connection', (socket) => {
      open += 1
      socket.on('close', () => (open -= 1))
    })
    const abort = new AbortController()
    const attempt = routedTo(port).post(undefined, abort.signal)
    await until(() => received.length === 1)
    abort.abort()
    expect((await attempt).failure?.error).toBe('aborted')
    await until(() => open === 0)
    expect((await routedTo(port).post(undefined, AbortSignal.abort())).failure?.error).toBe('aborted')
    expect(received).toHaveLength(1)
  })
})

describe('a response', () => {
  test.each([301, 302, 303, 307, 308])('with status %i is not followed', async (status) => {
    const elsewhere = await receiver()
    const redirecting: Respond = (_q, response) => {
      response.writeHead(status, { Location: `http://127.0.0.1:${elsewhere.port}/` }).end()
    }
    expect((await answered(redirecting)).response?.status).toBe(status)
    expect(elsewhere.connections()).toBe(0)
  })

  test.each([
    [65_536, 65_536, false],
    [65_537, 65_536, true],
    [5_000_000, 65_536, true],
  ])('of %i bytes is stored up to %i bytes', async (length, kept, truncated) => {
    const { response } = await answered((_request, reply) => reply.end(Buffer.alloc(length, 'a')))
    expect([response?.status, response?.body.length, response?.truncated]).toEqual([200, kept, truncated])
  })

  test('that never ends is truncated', async () => {
    const endless: Respond = (_q, response) => {
      const more = () => {
        if (response.write(Buffer.alloc(16_384)) && !response.destroyed) setImmediate(more)
      }
      response.on('drain', more)
      more()
    }
    expect((await answered(endless)).response).toMatchObject({ status: 200, truncated: true })
  })
})

test('survives a receiver that answers and resets the connection while a large body is being sent', async () => {
  const failures: unknown[] = []
  const note = (error: unknown) => failures.push(error)
  process.on('uncaughtException', note)
  onTestFinished(() => void process.off('uncaughtException', note))
  const port = await rawReceiver((socket) => {
    socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')
    setTimeout(() => socket.destroy(), 0)
  })
  const sending = routedTo(port)
  const large = { url: 'https://shop.example/', body: Buffer.alloc(4 * 1024 * 1024), signature }
  const never = new AbortController().signal
  for (let n = 0; n < 5; n += 1) await sending.send(large, never)
  // The errors of the sockets follow their responses.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(failures).toEqual([])
})
