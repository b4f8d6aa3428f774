import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { webhookHandler } from '../../../receiver/limits/limited-express.ts'
import { clock, events, SECRET, signed } from '../support.ts'

const { body, header } = signed(events('node-http').event('completed'))
const bytes = new Uint8Array(body)

async function serve(listener: RequestListener): Promise<URL> {
  const server: Server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

const post = (url: URL, signature = header) =>
  fetch(url, { method: 'POST', body: bytes, headers: { 'X-Service-Signature': signature } })

describe('the handler without a framework', () => {
  it('accepts and refuses', async () => {
    const inbox = memoryInbox()
    const handler = webhookHandler({ secrets: SECRET, clock, inbox })
    const url = await serve((request, response) => void handler(request, response))
    const accepted = await post(url)
    expect([accepted.status, await accepted.json()]).toEqual([200, { received: true }])
    const refused = await post(url, `t=1750000000,v1=${'0'.repeat(64)}`)
    expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'signature_mismatch' }])
    const other = await fetch(url)
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await inbox.list({ state: 'pending' })).toHaveLength(1)
  })

  it('answers 500 for a fault of the program instead of ending the process', async () => {
    const verify = () => {
      throw new RangeError('a fault')
    }
    const handler = webhookHandler({ verify, inbox: memoryInbox() })
    const url = await serve((request, response) => void handler(request, response))
    const response = await post(url)
    expect([response.status, await response.json()]).toMatchObject([500, { code: 'internal_error' }])
  })

  it('stops reading an endless body that comes with another method', async () => {
    const handler = webhookHandler({ secrets: SECRET, clock, inbox: memoryInbox() })
    const url = await serve((request, response) => void handler(request, response))
    const client = connect(Number(url.port), '127.0.0.1').on('error', () => {})
    const closed = new Promise<string>((resolve) => client.once('close', () => resolve('closed')))
    client.resume().write('GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n')
    const send = () => {
      while (!client.destroyed && client.write(Buffer.alloc(65_536)));
    }
    client.on('drain', send)
    send()
    expect(await closed).toBe('closed')
    expect(client.bytesWritten).toBeLessThan(64 * 1024 * 1024)
  })

  it('passes a fault of the program to next', async () => {
    const verify = () => {
      throw new RangeError('a fault')
    }
    const handler = webhookHandler({ verify, inbox: memoryInbox() })
    const url = await serve((request, response) => {
      void handler(request, response, (error) => response.writeHead(599).end(String(error)))
    })
    expect(await (await post(url)).text()).toBe('RangeError: a fault')
  })
})

describe('the handler where it cannot work', () => {
  const handler = webhookHandler({ secrets: SECRET, clock, inbox: memoryInbox() })

  it('says so when Fastify registers it', async () => {
    const app = fastify()
    await expect(app.register(handler as never).ready()).rejects.toThrow(/Use webhookPlugin for Fastify/)
  })

  it('says so when a framework calls it with other objects', async () => {
    await expect(handler(new Request('http://localhost/') as never, undefined as never)).rejects.toThrow(
      /fetchHandler/,
    )
  })
})
