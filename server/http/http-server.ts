import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { drainRequest, expressClasses } from '@hookproof/receiver/express'
import type { Express } from 'express'
import { makeLast } from './closing.ts'
import { type Evicted, limitConnections } from './connection-limit.ts'
import { type Connections, trackConnections } from './connections.ts'
import { isWellFormed, refuseMalformed } from './malformed.ts'
import { refuse } from './refuse.ts'

/** Why the server closed a connection: `pipelined` sent too many requests without waiting for the responses. */
export type ClosedConnection = Evicted | 'pipelined'

export interface ConnectionOptions {
  /** The maximum number of open connections. */
  maxConnections: number
  /** How long a client may not read its responses, in milliseconds. */
  unreadTimeoutMs?: number
  /** Called for each connection that was closed because of a limit. */
  onClosed?: (reason: ClosedConnection) => void
}

export interface HttpServerOptions extends ConnectionOptions {
  /** The body timeout of the application, in milliseconds. It applies first, because its answer is more helpful. */
  bodyTimeoutMs: number
  /** How long a request head may take to arrive, in milliseconds. */
  headTimeoutMs?: number
}

export interface HttpServer {
  readonly server: Server
  readonly connections: Pick<Connections, 'size'>
}

/** Limited, so that connections are redistributed over several receivers. */
const MAX_REQUESTS = 10_000

/** The maximum number of requests of a connection that wait for their responses. */
const MAX_PIPELINED = 16

/** Creates the server of an application, with a limit on everything that a client could delay. SPEC.md 10. */
export function createHttpServer(app: Express, options: HttpServerOptions): HttpServer {
  const { bodyTimeoutMs, headTimeoutMs = 10_000, ...limits } = options
  return createLimitedServer(app, limits, {
    ...expressClasses(app),
    headersTimeout: headTimeoutMs,
    requestTimeout: headTimeoutMs + bodyTimeoutMs + 10_000,
    // Longer than the idle timeout of common load balancers, which could otherwise use a connection that is closing.
    keepAliveTimeout: 65_000,
  })
}

/** Creates a server with limits on its connections. */
export function createLimitedServer(
  listener: RequestListener,
  { maxConnections, unreadTimeoutMs = 10_000, onClosed = () => {} }: ConnectionOptions,
  options: ServerOptions,
): HttpServer {
  // Node.js would answer a request without Host in its own words.
  const server = createServer({ ...options, connectionsCheckingInterval: 1000, requireHostHeader: false })
  const connections = trackConnections(server)
  limitConnections(server, connections, { maxConnections, onEvicted: onClosed })
  refuseMalformed(server, connections)

  const limited =
    (handle: RequestListener): RequestListener =>
    (request, response) => {
      const connection = connections.of(request.socket)
      if (connection === undefined || connection.closing) return
      connections.begin(connection, response)
      // A response that is already sent counts too, until the client can have read it.
      const isFull = Math.max(connection.open.size, connection.requestsInTurn) >= MAX_PIPELINED
      if (isFull || connection.requests >= MAX_REQUESTS) {
        makeLast(connection, response, () => isFull && onClosed('pipelined'))
      }
      if (isWellFormed(request)) return handle(request, response)
      drainRequest(request)
      refuse(response, 'request_malformed')
    }
  server.on('request', limited(listener))
  server.on(
    'checkExpectation',
    limited((request, response) => {
      drainRequest(request)
      refuse(response, 'expectation_failed')
    }),
  )

  // A client may end its side of the connection after its request and still read the response. Not in the documentation of
  // Node.js, but in all of its versions.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.timeout = unreadTimeoutMs
  server.on('timeout', (socket) => {
    const connection = connections.of(socket)
    const isIdle = connection?.open.size === 0 && connection.requests > 0
    // Other limits apply to a request that arrives slowly. A request that waits for the store is not the client's fault.
    const isUnread = socket.writableLength > 0
    if (isUnread) onClosed('unread')
    if (isIdle || isUnread) socket.destroy()
  })
  return { server, connections }
}
