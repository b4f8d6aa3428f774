import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** What a server of node:http or node:https makes its requests and responses of. */
export interface ExpressClasses {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Request and response classes of one Express application, for a server that answers several times as many requests:
 *
 *     http.createServer({ ...expressClasses(app) }, app)
 *
 * Express gives each request and each response the prototype of the application, and an engine drops what it has
 * learnt of an object whose prototype changes. Here they are born with it, so that there is nothing to change. Express
 * does all that it did before; `http.createServer(app)` is the way without.
 */
export function expressClasses(app: Pick<Express, 'request' | 'response'>): ExpressClasses {
  return {
    IncomingMessage: bornWith(IncomingMessage, app.request),
    ServerResponse: bornWith(ServerResponse, app.response),
  }
}

/** A class of Node with another prototype. That of a `class` can not be set; that of a function can. */
function bornWith<Class extends Constructor>(Base: Class, prototype: object): Class {
  // Node's own are functions, which may be called on an object that exists. Reflect.construct would be right too, and make
  // each request five times dearer: the engine keeps no shape for what it makes.
  const initialise = Base as unknown as (this: object, first: unknown, second: unknown) => void
  function Derived(this: object, first: unknown, second: unknown): void {
    initialise.call(this, first, second)
  }
  Derived.prototype = prototype
  return Derived as unknown as Class
}

type Constructor = new (first: never, second?: never) => object
