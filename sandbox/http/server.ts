import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Express } from 'express'
import { limitConnections } from './connections.ts'

/**
 * Creates a server for an Express application that no other application mounts. Express replaces the prototype of each
 * request and response, which deoptimizes them and took half the time of a short response on Node.js 20 and 22. Here they
 * are created with the final prototype: that of a class, which inherits from the one of the application and replaces it.
 */
export function serverFor(app: Express): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request)
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response)
  const server = createServer({ ...TIMES, IncomingMessage: AppRequest, ServerResponse: AppResponse }, app)
  limitConnections(server)
  return server
}

/** How long requests may take to arrive, in milliseconds. */
const TIMES = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 } as const
