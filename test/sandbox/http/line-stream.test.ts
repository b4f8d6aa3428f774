import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lineStream } from '../../../sandbox/http/streams.ts'

/** A response whose client has read its head and nothing more, and which holds bytes that the client has not read. */
async function unread(): Promise<{ response: ServerResponse; client: net.Socket }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = net.connect(port, '127.0.0.1')
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  client.on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  response.flushHeaders()
  await once(client, 'data')
  client.pause()
  // More than the system buffers.
  response.write('x'.repeat(16 * 1024 * 1024))
  expect(response.writableLength).toBeGreaterThan(0)
  return { response, client }
}

const HEARTBEAT = { heartbeat: '\n', intervalMs: 20 }

test('a stream ends with a reason when its client has stopped reading', async () => {
  const { response, client } = await unread()
  const onEnd = vi.fn()
  const { write } = lineStream(response, { ...HEARTBEAT, mostWaiting: 1024, slow: () => 'too slow', onEnd })
  write('one')
  write('two')
  expect([response.writableEnded, onEnd.mock.calls.length]).toEqual([true, 1])
  let last = ''
  client.on('data', (chunk: Buffer) => (last = (last + chunk.toString('latin1')).slice(-100)))
  client.resume()
  await once(response, 'close')
  await expect.poll(() => last).toContain('too slow')
  expect(last).not.toContain('one')
})

test('nothing is written after the end, which a client that does not read delays', async () => {
  const { response, client } = await unread()
  const failures = vi.fn()
  response.on('error', failures)
  const onEnd = vi.fn()
  const { write, end } = lineStream(response, { ...HEARTBEAT, mostWaiting: Infinity, onEnd })
  end('gone')
  // Its interval would write too.
  await new Promise((resolve) => setTimeout(resolve, 50))
  write('after')
  end('again')
  expect([failures.mock.calls, onEnd.mock.calls.length, response.closed]).toEqual([[], 1, false])
  client.destroy()
  await once(response, 'close')
  expect(onEnd).toHaveBeenCalledTimes(1)
})

test('a stream ends when its client disconnects', async () => {
  const { response, client } = await unread()
  const onEnd = vi.fn()
  const { write } = lineStream(response, { ...HEARTBEAT, onEnd })
  client.destroy()
  await once(response, 'close')
  write('after')
  expect(onEnd).toHaveBeenCalledTimes(1)
})
