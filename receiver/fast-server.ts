import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** The request and response classes of a server of node:http or node:https. */
export interface ExpressClasses {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Request and response classes for one Express application, with which a server handles several times as many requests:
 *
 *     http.createServer({ ...expressClasses(app) }, app)
 *
 * Express changes the prototype of every request and response to that of the application, and the JavaScript engine drops
 * its optimizations for an object whose prototype changes. These classes create the objects with that prototype, so
 * nothing changes. Express behaves the same as with `http.createServer(app)`.
 */
export function expressClasses(app: Pick<Express, 'request' | 'response'>): ExpressClasses {
  return {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
  }
}

/** A class of Node.js with another prototype. It is a function, because the prototype of a `class` cannot be set. */
function withPrototype<Class extends Constructor>(Base: Class, prototype: object): Class {
  // The classes of Node.js are functions, which can be called on an existing object. Reflect.construct would also work but
  // make each request five times slower, because the engine keeps no hidden class for the objects it creates.
  const initialize = Base as unknown as (this: object, first: unknown, second: unknown) => void
  function Derived(this: object, first: unknown, second: unknown): void {
    initialize.call(this, first, second)
  }
  Derived.prototype = prototype
  return Derived as unknown as Class
}

type Constructor = new (first: never, second?: never) => object
