import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { type Connections, type ProtectOptions, protect } from '@hookproof/receiver'
import { drainRequest } from '@hookproof/receiver/express'
import { isWellFormed, refuseMalformed } from './malformed.ts'
import { refuse } from './refuse.ts'

export interface HttpServerOptions extends ProtectOptions {
  /** The body timeout of the application, in milliseconds. It applies first, because its answer is more helpful. */
  bodyTimeoutMs: number
}

export interface HttpServer {
  readonly server: Server
  readonly connections: Pick<Connections, 'size'>
}

/** Creates the server of the receiver, with a limit on everything that a client could delay. SPEC.md 10. */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions): HttpServer {
  const { bodyTimeoutMs, headTimeoutMs = 10_000, ...limits } = options
  return createLimitedServer(
    listener,
    { ...limits, headTimeoutMs },
    {
      requestTimeout: headTimeoutMs + bodyTimeoutMs + 10_000,
      // Longer than the idle timeout of common load balancers, which could otherwise use a connection that is closing.
      keepAliveTimeout: 65_000,
    },
  )
}

/** Creates a server with limits on its connections, which refuses in JSON what is not well-formed. */
export function createLimitedServer(
  listener: RequestListener,
  limits: ProtectOptions,
  options: ServerOptions,
): HttpServer {
  const wellFormed: RequestListener = (request, response) => {
    if (isWellFormed(request)) return listener(request, response)
    drainRequest(request)
    refuse(response, 'request_malformed')
  }
  const settings = { ...options, connectionsCheckingInterval: 1000, requireHostHeader: false }
  // Node.js would answer a request without Host in its own words.
  const server = createServer(settings, wellFormed)
  server.on('checkExpectation', (request, response) => {
    drainRequest(request)
    refuse(response, isWellFormed(request) ? 'expectation_failed' : 'request_malformed')
  })
  const connections = protect(server, limits)
  refuseMalformed(server, connections)
  return { server, connections }
}
