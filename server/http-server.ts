import { createServer, type Server } from 'node:http'
import type { Express } from 'express'
import { expressClasses } from '../receiver/fast-server.ts'

export interface HttpServerOptions {
  /** What the application gives a body to arrive, in milliseconds: it has the better answer, so it comes first. */
  bodyWithinMs: number
}

const HEAD_WITHIN_MS = 10_000

/** So that connections come to be spread anew over several receivers. */
const MOST_REQUESTS = 10_000

/** The server of an application, with a limit on everything that a client could draw out. SPEC.md 10. */
export function createHttpServer(app: Express, { bodyWithinMs }: HttpServerOptions): Server {
  const server = createServer(
    {
      ...expressClasses(app),
      headersTimeout: HEAD_WITHIN_MS,
      requestTimeout: HEAD_WITHIN_MS + bodyWithinMs + 10_000,
      connectionsCheckingInterval: 1000,
      // Longer than the idle time of common load balancers, which else send into a connection that is just closing.
      keepAliveTimeout: 65_000,
    },
    app,
  )
  server.maxRequestsPerSocket = MOST_REQUESTS
  return server
}
