import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import express from 'express'
import { fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ProtectOptions, protect } from '../../../receiver/limits/protect.ts'
import { onWindows } from '../../support/prerequisites.ts'
import { openConnection } from '../../support/raw-connection.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const GET = 'GET /big HTTP/1.1\r\nHost: test\r\n\r\n'
const BIG = 'x'.repeat(64 * 1024)

/** Servers of users, each with a route that counts its requests and sends much. */
const SERVERS: Readonly<Record<string, (handle: RequestListener) => Promise<Server> | Server>> = {
  'node:http': (handle) => createServer(handle),
  Express: (handle) => createServer(express().get('/big', handle)),
  async Fastify(handle) {
    const app = fastify()
    app.get('/big', (request, reply) => {
      reply.hijack()
      handle(request.raw, reply.raw)
    })
    await app.ready()
    return app.server
  },
}

for (const [name, create] of Object.entries(SERVERS)) {
  /** @returns the URL, how many requests were handled, and why connections were closed */
  async function serve(options: ProtectOptions = {}, listener?: RequestListener) {
    let handled = 0
    const closed: string[] = []
    const server = await create((request, response) => {
      handled += 1
      if (listener) listener(request, response)
      else response.end(BIG)
    })
    // As in protect(app.listen(port)).
    server.listen(0, '127.0.0.1')
    protect(server, { onClosed: (reason) => void closed.push(reason), ...options })
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { url, closed, handled: () => handled }
  }

  describe(`a protected server of ${name}`, () => {
    it('handles at most 16 requests of a client that does not wait for the responses', async () => {
      const { url, closed, handled } = await serve()
      const { socket } = await openConnection(url)
      socket.write(GET.repeat(2000))
      await until(() => closed.length > 0)
      expect(closed).toEqual(['pipelined'])
      expect(handled()).toBe(16)
      expect((await fetch(`${url}/big`)).status).toBe(200)
    })

    it('closes the connection of a client that does not read', async () => {
      const { url, closed } = await serve({ unreadTimeoutMs: 100 }, (_request, response) => {
        response.end(BIG.repeat(200))
      })
      const { socket } = await openConnection(url)
      socket.pause()
      socket.write(GET)
      await until(() => closed.length > 0)
      expect(closed).toEqual(['unread'])
    })

    it('closes the oldest idle connection when there are too many', async () => {
      const { url, closed } = await serve({ maxConnections: 2 })
      const idle = await openConnection(url)
      const gone = once(idle.socket, 'close')
      await openConnection(url)
      await openConnection(url)
      await gone
      expect(closed).toEqual(['idle'])
    })
  })
}

it('refuses what is not a server of node:http', () => {
  expect(() => protect(express() as unknown as Server)).toThrow(/^protect: pass the server/)
  expect(() => protect(createServer(), { maxConnections: Number.NaN })).toThrow(/^maxConnections: must be/)
})

it('ends nothing when onClosed throws', async () => {
  const server = createServer((_request, response) => response.end('ok'))
  const onClosed = () => {
    throw new Error('the metrics are gone')
  }
  const connections = protect(server, { maxConnections: 1, onClosed })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await openConnection(url)
  expect(await (await fetch(url)).text()).toBe('ok')
  expect(connections.size).toBe(1)
})

/** A protected server. @returns its URL */
async function listen(server: Server): Promise<string> {
  protect(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('answers pipelined requests of thousands of lines in order', async () => {
  const url = await listen(
    createServer((request, response) => {
      let length = 0
      request.on('data', (chunk) => {
        length += chunk.length
      })
      request.on('end', () => response.end(`<${request.url} ${length}>`))
    }),
  )
  const { socket, received } = await openConnection(url)
  const numbers = Array.from({ length: 10 }, (_, number) => number)
  const body = 'x\n'.repeat(3000)
  const requests = numbers.map(
    (number) => `POST /${number} HTTP/1.1\r\nHost: test\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  socket.write(requests.join(''))
  await until(() => received().includes('</9'))
  expect(received().match(/<[^>]+>/g)).toEqual(numbers.map((number) => `</${number} 6000>`))
})

it('answers a client that has ended its side of the connection', async () => {
  const url = await listen(
    createServer((request, response) => {
      request.resume()
      setTimeout(() => response.end('answered'), 50)
    }),
  )
  const { socket, received, closed } = await openConnection(url)
  socket.end(`POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 2000\r\n\r\n${'x\n'.repeat(1000)}`)
  await until(closed)
  expect(received()).toMatch(/answered$/)
})

describe('a protected server', () => {
  /** Sends a request and resets the connection, in a thread of its own. */
  const RESETTER = `
    const { connect } = require('node:net')
    const { port, done } = require('node:worker_threads').workerData
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\\r\\nHost: test\\r\\n\\r\\n', () => socket.resetAndDestroy()))
    socket.on('close', () => { Atomics.store(done, 0, 1); Atomics.notify(done, 0) })`

  // Other systems may report it later.
  it.runIf(process.platform === 'linux')(
    'does not handle a connection that was reset before it could be accepted',
    async () => {
      const targets: (string | undefined)[] = []
      const server = createServer(({ url }, response) => {
        targets.push(url)
        response.end()
      })
      const url = await listen(server)
      const done = new Int32Array(new SharedArrayBuffer(4))
      const worker = new Worker(RESETTER, {
        eval: true,
        workerData: { port: Number(new URL(url).port), done },
      })
      // Meanwhile this thread accepts nothing.
      expect(Atomics.wait(done, 0, 0, 10_000)).not.toBe('timed-out')
      await worker.terminate()
      await fetch(`${url}/after`)
      expect(targets).toEqual(['/after'])
    },
  )

  it.skipIf(onWindows)('handles connections over a Unix socket, which have no addresses', async () => {
    const path = temporaryFile('socket')
    const server = createServer((_request, response) => response.end('answered'))
    protect(server)
    await once(server.listen(path), 'listening')
    onTestFinished(() => void server.close())
    const socket = connect(path).end('GET / HTTP/1.0\r\n\r\n')
    expect(await text(socket)).toMatch(/answered$/)
  })
})

it('passes everything after an upgrade to its listener', async () => {
  const server = createServer()
  let bytes = ''
  server.on('upgrade', (_request, socket, head: Buffer) => {
    bytes += String(head)
    socket.on('data', (chunk) => {
      bytes += String(chunk)
    })
    socket.on('end', () => socket.end())
  })
  const url = await listen(server)
  const { socket, closed } = await openConnection(url)
  const sent = Array.from({ length: 2000 }, (_, line) => `${line}\n`).join('')
  socket.write(`GET / HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: lines\r\n\r\n${sent}`)
  await until(() => bytes.length >= sent.length)
  socket.end('the end')
  await until(closed)
  expect(bytes).toBe(`${sent}the end`)
})
