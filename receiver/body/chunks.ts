import type { IncomingMessage } from 'node:http'

/** The parser of a connection. Its constructor has the index of its callback for the bytes of a body. */
interface Parser {
  readonly constructor: { readonly kOnBody?: number }
  [callback: number]: unknown
}

/**
 * Calls `accept` with each chunk of a body as the parser of Node.js passes it on. The stream of the request never gets a
 * chunk that is not accepted. A `data` listener would be too late: by then the stream keeps all chunks of the read.
 * @returns a function that ends it
 */
export function watchChunks(request: IncomingMessage, accept: (chunk: Buffer) => boolean): () => void {
  const { push } = request
  request.push = (chunk: Buffer | null) =>
    chunk !== null && !accept(chunk) ? true : push.call(request, chunk)
  return () => void Reflect.deleteProperty(request, 'push')
}

/**
 * Ignores the rest of what was just read from the connection of a request. A single read can contain 10,000 chunks, which
 * the parser would pass on one after the other, for more than 10 ms; nothing else can stop it. Call it from `watchChunks`, and
 * then read no more from the connection.
 */
export function skipRestOfRead(request: IncomingMessage): void {
  // Not in the documentation of Node.js. Without it, the rest is parsed.
  const { parser } = request.socket as { parser?: Parser | null }
  const index = parser?.constructor.kOnBody
  if (!parser || index === undefined || parser[index] === undefined) return
  const onBody = parser[index]
  parser[index] = undefined
  // Node.js uses its parsers again for other connections, but does not read from these before the immediates.
  setImmediate(() => {
    parser[index] = onBody
  })
}
