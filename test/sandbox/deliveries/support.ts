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

/** A request at the receiver. */
interface Received {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** The server name from the TLS handshake. */
  readonly servername: string | false | undefined
}

/** A receiver that records its requests; it stops when the test ends. */
export interface Receiver {
  readonly port: number
  readonly received: Received[]
  readonly server: Server
  /** The number of connections to it. */
  readonly connections: () => number
}

/** Responds to one request; 200 by default. */
export type Respond = (request: IncomingMessage, response: Parameters<RequestListener>[1]) => void

const accept: Respond = (_request, response) => response.end()

/** Starts a receiver on this machine; with a certificate it uses TLS. */
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

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A self-signed certificate for names or addresses, such as `DNS:shop.example`; it requires openssl. */
export function certificateFor(...subjects: string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const names = ['-subj', '/CN=test', '-addext', `subjectAltName=${subjects.join(',')}`]
  try {
    const words = ['req', '-x509', ...curve, '-nodes', '-days', '2', ...names, '-keyout', key, '-out', cert]
    execFileSync('openssl', words, { stdio: 'pipe' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A store with one organisation, one endpoint and one payment. */
export async function storeWith(path = ':memory:'): Promise<Store> {
  const store = await openStore(path)
  onTestFinished(() => store.close())
  fill(store)
  return store
}
