import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections that have not sent a request yet. */
const fresh = new Set<Socket>()
/** Those that wait until they are read again. */
const parked: Socket[] = []
const PARKED_PER_TURN = 2
/** When only requests that continue wait, one is read this often, in milliseconds, and other work takes place between. */
const PAUSE_MS = 20

/** Requests with chunked bodies whose connections are being read. */
const reading = new Set<IncomingMessage>()
/** Those that wait until they are read again: first those that have just started, then the others; each in order. */
const starting = new Set<IncomingMessage>()
const continuing = new Set<IncomingMessage>()
/** Those that ended while they waited: their connections are still to be read again. */
const ended = new WeakSet<IncomingMessage>()
let scheduled = false

/** Lets new connections of a server wait when another one sends thousands of chunks at once. */
export function readInTurn(server: Server): void {
  server.on('connection', (socket: Socket) => {
    fresh.add(socket)
    socket.once('close', () => fresh.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage) => void fresh.delete(socket))
}

/** A request with a chunked body starts. Its connection is read when it has its turn. */
export function startTurns(request: IncomingMessage): void {
  stopReading(request)
  starting.add(request)
  schedule()
}

/**
 * A request has received many chunks: other connections have their turn first. One connection is read per turn of the event
 * loop, because a single read can contain 10,000 chunks, which take more than 10 ms.
 */
export function waitForTurn(request: IncomingMessage): void {
  for (const other of reading.add(request)) {
    stopReading(other)
    if (!starting.has(other)) continuing.add(other)
  }
  reading.clear()
  for (const socket of fresh) parked.push(socket.pause())
  fresh.clear()
  schedule()
}

/** A request has received its body, or has failed. */
export function endTurns(request: IncomingMessage): void {
  reading.delete(request)
  if (starting.has(request) || continuing.has(request)) ended.add(request)
}

function schedule(): void {
  if (scheduled) return
  scheduled = true
  const crowded = starting.size + parked.length === 0 && continuing.size > 1
  if (crowded) setTimeout(nextTurn, PAUSE_MS)
  else setImmediate(nextTurn)
}

function nextTurn(): void {
  scheduled = false
  // The newest first, because its client has the most time left to wait for the answer.
  for (const socket of parked.splice(-PARKED_PER_TURN)) socket.resume()
  const [request] = starting.size > 0 ? starting : continuing
  if (request !== undefined) {
    starting.delete(request)
    continuing.delete(request)
    if (!ended.has(request)) reading.add(request)
    Reflect.deleteProperty(request, '_read')
    request.socket.resume()
  }
  if (starting.size + continuing.size + parked.length > 0) schedule()
}

/** Discards what has been read of a request, and reads no more from its connection, which the answer must close. */
export function discardRequest(request: IncomingMessage): void {
  reading.delete(request)
  starting.delete(request)
  continuing.delete(request)
  stopReading(request)
  // With a listener the chunks of the last read are not kept.
  request.on('data', () => {}).resume()
}

function stopReading(request: IncomingMessage): void {
  // Without this the request would resume the connection after each chunk.
  request._read = () => {}
  request.socket.pause()
}
