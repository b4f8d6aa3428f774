import { createServer, type Server } from 'node:http'
import type { Express } from 'express'
import { drainRequest } from '../receiver/body/drain.ts'
import { readInTurn } from '../receiver/body/turns.ts'
import { expressClasses } from '../receiver/fast-server.ts'

export interface HttpServerOptions {
  /** The body timeout of the application, in milliseconds. It applies first, because its answer is more helpful. */
  bodyTimeoutMs: number
  /** How long a request head may take to arrive, in milliseconds. */
  headTimeoutMs?: number
}

/** Limited, so that connections are redistributed over several receivers. */
const MAX_REQUESTS = 10_000

/** Creates the server of an application, with a limit on everything that a client could delay. SPEC.md 10. */
export function createHttpServer(
  app: Express,
  { bodyTimeoutMs, headTimeoutMs = 10_000 }: HttpServerOptions,
): Server {
  const server = createServer(
    {
      ...expressClasses(app),
      headersTimeout: headTimeoutMs,
      requestTimeout: headTimeoutMs + bodyTimeoutMs + 10_000,
      connectionsCheckingInterval: 1000,
      // Longer than the idle timeout of common load balancers, which could otherwise use a connection that is closing.
      keepAliveTimeout: 65_000,
    },
    app,
  )
  server.maxRequestsPerSocket = MAX_REQUESTS
  readInTurn(server)
  // Node.js would answer the same, and then read an endless body until the request times out.
  server.on('checkExpectation', (request, response) => {
    drainRequest(request)
    response.writeHead(417).end()
  })
  return server
}
