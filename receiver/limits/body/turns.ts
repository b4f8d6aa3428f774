import type { IncomingMessage } from 'node:http'

/** The requests whose connections are read again in turn, the first that waits first. */
const waiting = new Set<IncomingMessage>()

/**
 * Stops reading from the connection of a request until the others have had their turn. One connection is read per turn of
 * the event loop, because a single read can contain thousands of chunks, each of which takes a microsecond.
 */
export function waitForTurn(request: IncomingMessage): void {
  if (waiting.has(request)) return
  stopReading(request)
  waiting.add(request)
  if (waiting.size === 1) setImmediate(nextTurn)
}

function nextTurn(): void {
  const [request] = waiting
  if (request === undefined) return
  waiting.delete(request)
  Reflect.deleteProperty(request, '_read')
  const { socket }: { socket: { resume?: () => void } } = request
  socket.resume?.()
  if (waiting.size > 0) setImmediate(nextTurn)
}

/** Discards what has been read of a request, and reads no more from its connection, which the answer must close. */
export function discardRequest(request: IncomingMessage): void {
  waiting.delete(request)
  stopReading(request)
  // With a listener the chunks of the last read are not kept.
  request.on('data', () => {}).resume()
}

function stopReading(request: IncomingMessage): void {
  // Without this the request would resume the connection after each chunk.
  request._read = () => {}
  // The sockets of Fastify's inject cannot pause.
  const { socket }: { socket: { pause?: () => void } } = request
  socket.pause?.()
}
