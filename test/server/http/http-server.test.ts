import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { ProtectOptions } from '../../../receiver/limits/protect.ts'
import { createLimitedServer } from '../../../server/http/http-server.ts'
import { openConnection } from '../../support/raw-connection.ts'
import { startServer } from '../../support/start-server.ts'
import { until } from '../../support/until.ts'

/** Starts a server. @returns its URL, and why it closed connections */
async function serve(listener: RequestListener, options: ProtectOptions = {}) {
  const closed: string[] = []
  const onClosed = (reason: string): void => void closed.push(reason)
  const { server, connections } = createLimitedServer(
    listener,
    { maxConnections: 100, onClosed, ...options },
    {},
  )
  return { url: await startServer(server), closed, connections, server }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`
const post = (path: string): string => `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\n{}`
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** The bodies of the responses, which all are the path of their request in angle brackets. */
const bodies = (text: string): string[] => [...text.matchAll(/<\/(.*?)>/g)].map(([, path = '']) => path)
const echo = ({ url }: IncomingMessage, response: ServerResponse): void => void response.end(`<${url}>`)

describe('requests that are pipelined', () => {
  it.each([
    ['without bodies', get],
    ['with bodies', post],
  ])('are answered in order, %s', async (_, request) => {
    const { url, closed } = await serve((incoming, response) => {
      // The later ones are ready first.
      setTimeout(() => echo(incoming, response), 15 - Number(incoming.url?.slice(1)))
    })
    const { socket, received } = await openConnection(url)
    socket.write(
      numbers(15)
        .map((index) => request(`/${index}`))
        .join(''),
    )
    await until(() => bodies(received()).length === 15)
    expect(bodies(received())).toEqual(numbers(15).map(String))
    socket.write(get('/next'))
    await until(() => bodies(received()).length === 16)
    expect(closed).toEqual([])
  })

  it.each([
    ['without bodies, answered immediately', get, echo],
    ['with bodies, answered immediately', post, echo],
    ['answered later', post, (incoming, response) => void setImmediate(echo, incoming, response)],
  ] satisfies [string, typeof get, RequestListener][])(
    'are handled up to 16, then the connection closes: %s',
    async (_, request, listener) => {
      let handled = 0
      const { url, closed } = await serve((incoming, response) => {
        handled += 1
        listener(incoming, response)
      })
      const connection = await openConnection(url)
      connection.socket.write(
        numbers(1000)
          .map((index) => request(`/${index}`))
          .join(''),
      )
      await until(connection.closed)
      expect(bodies(connection.received())).toEqual(numbers(16).map(String))
      expect(connection.received().match(/Connection: close/g)).toHaveLength(1)
      expect(handled).toBe(16)
      expect(closed).toEqual(['pipelined'])
    },
  )

  it('are not created by Node.js far beyond the limit', async () => {
    const { url, server } = await serve(echo)
    let created = 0
    server.prependListener('request', () => {
      created += 1
    })
    const connection = await openConnection(url)
    connection.socket.write(get('/').repeat(1000))
    await until(connection.closed)
    // The parser gets 256 lines at once, and each request has three.
    expect(created).toBeGreaterThanOrEqual(16)
    expect(created).toBeLessThanOrEqual(Math.ceil(256 / 3))
  })

  it('do not count as such when the client waits for each response', async () => {
    const { url, closed } = await serve(echo)
    const { socket, received } = await openConnection(url)
    for (const index of numbers(40)) {
      socket.write(post(`/${index}`))
      await until(() => bodies(received()).length === index + 1)
    }
    expect(closed).toEqual([])
  })
})

describe('a connection', () => {
  it('closes when its client does not read the response', async () => {
    const { url, connections } = await serve((_request, response) => response.end(Buffer.alloc(64_000_000)), {
      unreadTimeoutMs: 100,
    })
    const { socket } = await openConnection(url)
    socket.pause()
    socket.write(get('/'))
    await until(() => connections.size === 1)
    await until(() => connections.size === 0)
  })

  it('stays open while the server takes longer for the response', async () => {
    const { url } = await serve((request, response) => void setTimeout(echo, 150, request, response), {
      unreadTimeoutMs: 50,
    })
    const { socket, received, closed } = await openConnection(url)
    socket.write(get('/late'))
    await until(() => closed() || bodies(received()).length === 1)
    expect(bodies(received())).toEqual(['late'])
  })

  it('gets its responses after the client has ended its side', async () => {
    const { url } = await serve((request, response) => void setImmediate(echo, request, response))
    const connection = await openConnection(url)
    connection.socket.end(post('/1') + post('/2'))
    await until(connection.closed)
    expect(bodies(connection.received())).toEqual(['1', '2'])
  })
})
