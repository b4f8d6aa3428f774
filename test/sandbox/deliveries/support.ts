import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore, type Store } from '../../../sandbox/store/store.ts'
import { fill } from './fill.ts'

/** A request as a receiver got it. */
interface Received {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** The server name that the TLS client asked for. */
  readonly servername: string | false | undefined
}

/** A receiver that keeps what it got; it goes when the test ends. */
export interface Receiver {
  readonly port: number
  readonly received: Received[]
  readonly server: Server
  /** How many connections were made to it. */
  readonly connections: () => number
}

/** Answers one request; the default is 200. */
export type Respond = (request: IncomingMessage, response: Parameters<RequestListener>[1]) => void

const accept: Respond = (_request, response) => response.end()

/** Listens on this machine; with a certificate over TLS. */
export async function receiver(respond: Respond = accept, tls?: Certificate, port = 0): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url = '', headers, socket } = request
      const { servername } = socket as { servername?: string | false }
      received.push({ url, headers, body: Buffer.concat(chunks), servername })
      respond(request, response)
    })
  }
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  server.on('connection', () => (connections += 1))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, received, server, connections: () => connections }
}

/** A port that nothing listens on. */
export async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A certificate for names or addresses, such as `DNS:shop.example`, that signs itself. */
export function certificateFor(...names: string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  try {
    const made = [
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ]
    const named = ['-subj', '/CN=test', '-addext', `subjectAltName=${names.join(',')}`]
    execFileSync('openssl', ['req', ...made, ...named, '-keyout', key, '-out', cert], { stdio: 'pipe' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A path in a folder of this test's own, which goes when the test ends. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'sandbox.sqlite')
}

/** Waits until a condition holds; the test's own time-out is the bound. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** A store with one organisation, one endpoint and one payment. */
export async function storeWith(path = ':memory:'): Promise<Store> {
  const store = await openStore(path)
  onTestFinished(() => store.close())
  fill(store)
  return store
}
