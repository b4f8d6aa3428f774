import { IncomingMessage } from 'node:http'

/** The parser of a connection. Its constructor has the index of its callback for the bytes of a body. */
interface Parser {
  readonly constructor: { readonly kOnBody?: number }
  [callback: number]: unknown
}

/** The way of the chunks of a body into the stream of its request. */
export interface Interception {
  /** Passes a chunk on to the stream; null is the end of the body. @returns whether the stream wants more */
  pass(chunk: Buffer | null): boolean
  /** Ends the interception: from now on the stream gets all chunks. */
  end(): void
}

/**
 * Calls `receive` with each chunk of a body as the parser of Node.js passes it on, and with null at its end. The stream of
 * the request gets only what `receive` passes on. A `data` listener would be too late: by then the stream keeps a Buffer
 * for each chunk of the read.
 * @param receive returns whether it wants more
 */
export function interceptChunks(
  request: IncomingMessage,
  receive: (chunk: Buffer | null) => boolean,
): Interception {
  const pass = (chunk: Buffer | null): boolean => IncomingMessage.prototype.push.call(request, chunk)
  let take = receive
  // Never deleted, because that would make every later access to the request slow.
  request.push = (chunk: Buffer | null) => take(chunk)
  return {
    pass,
    end: () => {
      take = pass
    },
  }
}

/**
 * Ignores the rest of what was just read from the connection of a request. A single read can contain 10,000 chunks, which
 * the parser would pass on one after the other, for more than 10 ms; nothing else can stop it. Call it from
 * `interceptChunks`, and then read no more from the connection.
 */
export function skipRestOfRead(request: IncomingMessage): void {
  // Not in the documentation of Node.js. Without it, the rest is parsed.
  const { parser } = request.socket as { parser?: Parser | null }
  const index = parser?.constructor.kOnBody
  if (!parser || index === undefined || parser[index] === undefined) return
  const onBody = parser[index]
  parser[index] = undefined
  // Node.js uses its parsers again for other connections, but reads nothing more in this turn of the event loop.
  setImmediate(() => {
    parser[index] = onBody
  })
}
