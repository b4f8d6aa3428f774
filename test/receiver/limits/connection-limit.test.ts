import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { limitConnections } from '../../../receiver/limits/connection-limit.ts'
import { trackConnections } from '../../../receiver/limits/connections.ts'
import { openConnection, type RawConnection } from '../../support/raw-connection.ts'
import { startServer } from '../../support/start-server.ts'
import { until } from '../../support/until.ts'

const MAX = 3

/** A server with room for three connections. It answers GET at once, and POST when the test says so. */
async function serve() {
  let time = 0
  const now = () => time
  const evicted: string[] = []
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    connections.begin(connections.of(request.socket) ?? expect.fail(), response)
    if (request.method === 'GET') response.end('<done>')
    else waiting.push(response)
  })
  const connections = trackConnections(server, now)
  const onEvicted = (reason: string): void => void evicted.push(reason)
  limitConnections(server, connections, { maxConnections: MAX, onEvicted }, now)
  const url = await startServer(server)
  /** Opens a connection, writes, and waits until the server has got it. Each one is 100 ms younger than the last. */
  async function open(text = '', isSeen = () => true): Promise<RawConnection> {
    time += 100
    const accepted = once(server, 'connection')
    const connection = await openConnection(url)
    await accepted
    if (text) connection.socket.write(text)
    await until(isSeen)
    return connection
  }
  const pass = (ms: number): void => {
    time += ms
  }
  return { connections, evicted, waiting, open, pass }
}

const GET = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n'
const COMPLETE = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\n\r\n1'
const INCOMPLETE = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n1'

async function expectAnswer(connection: RawConnection): Promise<void> {
  connection.socket.write(GET)
  await until(() => connection.closed() || connection.received().includes('<done>'))
  expect(connection.received()).toContain('200 OK')
}

describe('a new connection above the limit', () => {
  it('replaces the one that has been idle for longest', async () => {
    const { connections, evicted, open } = await serve()
    const silent = await open()
    const keptAlive = await open()
    const headOnly = await open('POST / HT')
    // Used last, so it became idle last.
    await expectAnswer(silent)
    for (const oldest of [keptAlive, headOnly]) {
      await expectAnswer(await open())
      await until(oldest.closed)
    }
    expect(silent.closed()).toBe(false)
    expect(evicted).toEqual(['idle', 'idle'])
    expect(connections.size).toBe(MAX)
  })

  it('is answered while clients keep opening idle connections', async () => {
    const { connections, evicted, open } = await serve()
    for (let count = 0; count < 50; count += 1) await open()
    await expectAnswer(await open())
    expect(connections.size).toBe(MAX)
    expect(evicted).toEqual(Array(48).fill('idle'))
  })

  it('replaces the one whose body has been arriving for longest, if none has been idle for a second', async () => {
    const { connections, evicted, waiting, open, pass } = await serve()
    const oldest = await open(INCOMPLETE, () => waiting.length === 1)
    const other = await open(INCOMPLETE, () => waiting.length === 2)
    const idle = await open()
    await expectAnswer(await open())
    await until(oldest.closed)
    pass(1001)
    await expectAnswer(await open())
    await until(idle.closed)
    expect(other.closed()).toBe(false)
    expect(evicted).toEqual(['incomplete', 'idle'])
    expect(connections.size).toBe(MAX)
  })

  it('does not replace one that waits for the response to a complete request', async () => {
    const { evicted, waiting, open } = await serve()
    const busy: RawConnection[] = []
    for (let count = 1; count <= MAX; count += 1) {
      busy.push(await open(COMPLETE, () => waiting.length === count))
    }
    const refused = await open()
    await until(refused.closed)
    expect(evicted).toEqual(['new'])
    for (const response of waiting) response.end('<done>')
    for (const { received } of busy) await until(() => received().includes('<done>'))
  })

  it('replaces one that does not read its response', async () => {
    const { evicted, waiting, open } = await serve()
    for (let count = 1; count <= MAX; count += 1) await open(COMPLETE, () => waiting.length === count)
    const [, unread] = waiting
    const socket = unread?.req.socket
    // More than the operating system buffers.
    unread?.end(Buffer.alloc(64_000_000))
    await open()
    expect(evicted).toEqual(['unread'])
    expect(socket?.destroyed).toBe(true)
  })
})
