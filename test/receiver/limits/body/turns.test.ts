import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { memoryInbox } from '../../../../receiver/inbox/memory.ts'
import { createApp } from '../../../../server/app.ts'
import { createHttpServer } from '../../../../server/http/http-server.ts'
import { openConnection, requestHead } from '../../../support/raw-connection.ts'
import { until } from '../../../support/until.ts'
import { events, signed, verify } from '../../support.ts'

const CONNECTIONS = 12
const CHUNKS = 10_000
const HEAD = requestHead('X-Service-Signature: t=1,v1=0', 'Transfer-Encoding: chunked')

/** Counts the chunks that requests receive, and the most in one turn of the event loop. */
function countChunks(server: Server) {
  let inTurn = 0
  const counts = { most: 0, total: 0, requests: 0 }
  const count = () => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0))
    inTurn += 1
    counts.total += 1
    counts.most = Math.max(counts.most, inTurn)
  }
  server.on('request', (request: IncomingMessage) => {
    counts.requests += 1
    request.on('data', count)
  })
  return counts
}

async function serve() {
  const app = createApp({ verify, inbox: memoryInbox() })
  const { server } = createHttpServer(app, { bodyTimeoutMs: 10_000, maxConnections: 2 * CONNECTIONS })
  const counts = countChunks(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(url)))
  return { url, open, counts }
}

async function expectAccepted(url: string): Promise<void> {
  const { body, header } = signed(events('turns').event('completed'))
  const { socket, received } = await openConnection(url)
  socket.write(requestHead(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`))
  socket.write(body)
  await until(() => received().includes('HTTP/1.1 200'))
}

it('connections that send thousands of chunks at once are read in turn', async () => {
  const { url, open, counts } = await serve()
  for (const { socket } of open) socket.write(HEAD)
  await until(() => counts.requests === CONNECTIONS)
  for (const { socket } of open) socket.write(`28\r\n${'x'.repeat(40)}\r\n`.repeat(CHUNKS))
  await until(() => counts.total >= CONNECTIONS * CHUNKS)
  // One read of 64 KiB of each connection, out of seven.
  expect(counts.most).toBeLessThanOrEqual(CONNECTIONS * 2000)

  await expectAccepted(url)
  for (const { socket } of open) socket.write('0\r\n\r\n')
  await until(() => open.every(({ received }) => received().includes('HTTP/1.1 400')))
})

it('the rest of a read is skipped once a body is refused, and later connections are read as usual', async () => {
  const { url, open, counts } = await serve()
  for (const { socket } of open) socket.write(HEAD + '1\r\nx\r\n'.repeat(CHUNKS))
  await until(() => open.every(({ received }) => received().includes('"body_too_fragmented"')))
  expect(counts.total).toBeLessThanOrEqual(CONNECTIONS * 5000)

  for (const { socket } of open) socket.destroy()
  for (let count = 0; count < 2 * CONNECTIONS; count += 1) await expectAccepted(url)
})
