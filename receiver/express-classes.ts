import { IncomingMessage, ServerResponse } from 'node:http'

/** The request and response classes of a server of node:http or node:https. */
export interface ExpressClasses {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/** What an Express application has for them; declared here, so that the types need no `@types/express`. */
interface ExpressPrototypes {
  request: object
  response: object
}

/**
 * Request and response classes for one Express application. On Node.js 20 and 22 a server with them handles several times as
 * many requests; on Node.js 24, where Express is fast by itself, about as many:
 *
 *     http.createServer({ ...expressClasses(app) }, app)
 *
 * Express changes the prototype of every request and response to that of the application, and the JavaScript engine drops
 * its optimizations for an object whose prototype changes. These classes create the objects with that prototype, so
 * nothing changes. Express behaves the same as with `http.createServer(app)`.
 *
 * The prototypes of the classes replace `app.request` and `app.response`, with everything that was added to these. Extend
 * `app.request` as usual, before or after. Only an earlier reference to the object is no longer the prototype of the requests.
 * Calling this again returns the same classes.
 */
export function expressClasses(app: ExpressPrototypes): ExpressClasses {
  const request = classFor(app.request, () => class extends IncomingMessage {})
  const response = classFor(
    app.response,
    () => class<Request extends IncomingMessage> extends ServerResponse<Request> {},
  )
  app.request = request.prototype
  app.response = response.prototype
  return { IncomingMessage: request, ServerResponse: response }
}

/** The classes by their prototypes. */
const classes = new WeakMap<object, unknown>()

/** The class with this prototype, or a new one whose prototype replaces it. */
function classFor<Class extends { prototype: object }>(prototype: object, create: () => Class): Class {
  const present = classes.get(prototype)
  if (present !== undefined) return present as Class
  const created = create()
  replacePrototype(prototype, created.prototype)
  classes.set(created.prototype, created)
  return created
}

/**
 * Moves the properties of an object to another one and lets it inherit them, since mounted applications inherit from it. The
 * prototype of a class is fixed, and only objects that a class creates are fast: those of Reflect.construct are not.
 */
function replacePrototype(from: object, to: object): void {
  // Like a request of Express, which inherits its constructor from the class of Node.js.
  Reflect.deleteProperty(to, 'constructor')
  Object.defineProperties(to, Object.getOwnPropertyDescriptors(from))
  Object.setPrototypeOf(to, Object.getPrototypeOf(from))
  for (const key of Reflect.ownKeys(from)) Reflect.deleteProperty(from, key)
  Object.setPrototypeOf(from, to)
}
