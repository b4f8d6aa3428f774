import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** The requests whose connections are read in turn: those that have just started, then the others; each in order. */
const starting = new Set<IncomingMessage>()
const continuing = new Set<IncomingMessage>()

/** Connections that have not sent a request yet. */
const fresh = new Set<Socket>()
/** Those that wait until they are read again. */
const parked: Socket[] = []
const PARKED_PER_TURN = 2

/** Lets new connections of a server wait when another one sends thousands of chunks at once. */
export function readInTurn(server: Server): void {
  server.on('connection', (socket: Socket) => {
    fresh.add(socket)
    socket.once('close', () => fresh.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage) => void fresh.delete(socket))
}

/**
 * Stops reading from the connection of a request until the others have had their turn. One connection is read per turn of
 * the event loop, because a single read can contain 10,000 chunks, which take more than 10 ms.
 */
export function waitForTurn(request: IncomingMessage, waiting: 'to start' | 'to continue'): void {
  if (starting.has(request) || continuing.has(request)) return
  stopReading(request)
  if (starting.size + continuing.size + parked.length === 0) setImmediate(nextTurn)
  if (waiting === 'to start') starting.add(request)
  else {
    continuing.add(request)
    for (const socket of fresh) parked.push(socket.pause())
    fresh.clear()
  }
}

function nextTurn(): void {
  // The newest first, because its client has the most time left to wait for the answer.
  for (const socket of parked.splice(-PARKED_PER_TURN)) socket.resume()
  const [request] = starting.size > 0 ? starting : continuing
  if (request !== undefined) {
    forget(request)
    Reflect.deleteProperty(request, '_read')
    request.socket.resume()
  }
  if (starting.size + continuing.size + parked.length > 0) setImmediate(nextTurn)
}

function forget(request: IncomingMessage): void {
  starting.delete(request)
  continuing.delete(request)
}

/** Discards what has been read of a request, and reads no more from its connection, which the answer must close. */
export function discardRequest(request: IncomingMessage): void {
  forget(request)
  stopReading(request)
  // With a listener the chunks of the last read are not kept.
  request.on('data', () => {}).resume()
}

function stopReading(request: IncomingMessage): void {
  // Without this the request would resume the connection after each chunk.
  request._read = () => {}
  request.socket.pause()
}
