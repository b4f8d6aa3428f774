import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { createApp } from '../../../server/app.ts'
import { createHttpServer } from '../../../server/http-server.ts'
import { openConnection, requestHead } from '../../support/raw-connection.ts'
import { until } from '../../support/until.ts'
import { events, signed, verify } from '../support.ts'

const CONNECTIONS = 12
const CHUNKS = 3000
const HEAD = requestHead('X-Service-Signature: t=1,v1=0', 'Transfer-Encoding: chunked')
const BODY = '1\r\nx\r\n'.repeat(CHUNKS)

/** Counts the chunks that requests receive in each turn of the event loop. */
function countChunks(server: Server) {
  let inTurn = 0
  const counts = { most: 0, total: 0 }
  const count = () => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0))
    inTurn += 1
    counts.total += 1
    counts.most = Math.max(counts.most, inTurn)
  }
  server.prependListener('request', (request: IncomingMessage) => void request.on('data', count))
  return counts
}

it.each([
  ['with their heads', ''],
  ['after their heads', HEAD],
])(
  'many connections that send thousands of chunks at once, %s, are read in a few turns each',
  async (_, before) => {
    const app = createApp({ verify, inbox: memoryInbox() })
    const { server } = createHttpServer(app, { bodyTimeoutMs: 10_000, maxConnections: 1000 })
    const counts = countChunks(server)
    let accepted = 0
    let requests = 0
    server.on('connection', () => (accepted += 1)).on('request', () => (requests += 1))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const open = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(url)))
    for (const { socket } of open) socket.write(before)
    await until(() => accepted === CONNECTIONS && (before === '' || requests === CONNECTIONS))
    for (const { socket } of open) socket.write(before === '' ? HEAD + BODY : BODY)
    await until(() => counts.total >= CONNECTIONS * CHUNKS)
    expect(counts.most).toBeLessThanOrEqual(5 * CHUNKS)

    const { body, header } = signed(events('turns').event('completed'))
    const valid = await openConnection(url)
    valid.socket.write(requestHead(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`))
    valid.socket.write(body)
    await until(() => valid.received().includes('HTTP/1.1 200'))
    for (const { socket } of open) socket.write('0\r\n\r\n')
    await until(() => open.every(({ received }) => received().includes('HTTP/1.1 400')))
  },
)
