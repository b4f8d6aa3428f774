import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Creates a server for an Express application. Express replaces the prototype of each request and response, which
 * deoptimizes them and took half the time of a short response. Here they are created with the final prototype.
 */
export function serverFor(app: Express): Server {
  const classes = {
    IncomingMessage: madeWith(IncomingMessage, app.request),
    ServerResponse: madeWith(ServerResponse, app.response),
  }
  return createServer(classes, app)
}

/** A Node.js class with another prototype. Those classes are plain functions, so they can initialize an existing object. */
function madeWith<Class extends new (first: never, second?: never) => object>(
  NodeClass: Class,
  prototype: object,
): Class {
  const initialize = NodeClass as unknown as (this: object, first: unknown, second: unknown) => void
  // Not a `class`, whose prototype is fixed, and not Reflect.construct, which is slow.
  function Made(this: object, first: unknown, second: unknown): void {
    initialize.call(this, first, second)
  }
  Made.prototype = prototype
  return Made as unknown as Class
}
