import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts'

/** A delivery that a merchant's server received. */
interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Shared {
  readonly on: Sandbox
  /** The deliveries of one payment, in order of arrival. */
  readonly receivedOf: (paymentId: string) => Received[]
}

/**
 * One sandbox for all tests of a file that do not disturb each other, with a merchant's server behind
 * https://shop.example/ that answers 200. An unexpected error fails the file.
 * @returns what the tests use, available once they run
 */
export function sandboxWithMerchant(options: SandboxOptions = {}): () => Shared {
  const received: Received[] = []
  const failures: unknown[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(200).end()
    })
  })
  let on: Sandbox
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const route = `https://shop.example/=http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    on = await createSandbox({ routes: [route], ...options, onFailure: (error) => failures.push(error) })
  })
  afterAll(async () => {
    await on.close()
    server.close()
    server.closeAllConnections()
    expect(failures).toEqual([])
  })
  const receivedOf = (paymentId: string) =>
    received.filter(({ body }) => String(body).includes(`"${paymentId}"`))
  return () => ({ on, receivedOf })
}
