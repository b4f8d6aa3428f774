import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { drainRequest } from '../../../../receiver/limits/body/drain.ts'

afterEach(() => void vi.useRealTimers())

/**
 * Refuses a request before its body arrives. @returns how many timers fewer there are after `leave` than while it is drained;
 * tests of the same process may have others
 */
async function timersEnded(leave: (socket: Socket) => void): Promise<number> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const server = createServer((request, response) => {
    response.writeHead(413).end('too large')
    drainRequest(request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  const requested = once(server, 'request') as Promise<[IncomingMessage]>
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n')
  const [request] = await requested
  await once(client, 'data')
  const draining = vi.getTimerCount()
  const settled = new Promise<void>((resolve) => {
    request.socket.once('close', () => resolve())
    request.once('end', resolve)
  })
  leave(client)
  await settled
  const left = vi.getTimerCount()
  client.destroy()
  server.close()
  return draining - left
}

// Otherwise a client that repeats this keeps 10 KB in memory for each request, and the process cannot end.
it('a refused request is forgotten when its client closes the connection', async () => {
  expect(await timersEnded((client) => client.resetAndDestroy())).toBe(1)
})

it('a refused request is forgotten when all of its body has arrived', async () => {
  expect(await timersEnded((client) => client.write('12345'))).toBe(1)
})
