import type { IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { discard } from '../reads.ts'

export interface DrainOptions {
  /** How many more bytes are read and discarded. */
  maxBytes?: number
  /** For how long, in milliseconds. */
  timeoutMs?: number
}

/** A chunk counts as at least this many bytes, because even an empty one takes time. */
const MIN_CHUNK_BYTES = 1024

/**
 * Reads and discards the rest of a refused request, because the sender may not see the answer if the connection closes
 * while it is still sending. Beyond the limits it closes the connection.
 */
export function drainRequest(request: IncomingMessage, options: DrainOptions = {}): void {
  const { maxBytes = 8 * 1024 * 1024, timeoutMs = 10_000 } = options
  request.resume()
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (request.complete || request.destroyed || (length === '0' && encoding === undefined)) return
  let left = maxBytes
  const timer = setTimeout(() => request.destroy(), timeoutMs)
  const { socket } = request
  const finish = () => {
    clearTimeout(timer)
    socket.off('close', finish)
  }
  request.on('data', (chunk: Buffer) => {
    left -= Math.max(chunk.length, MIN_CHUNK_BYTES)
    if (left < 0) request.destroy()
  })
  request.once('close', finish)
  // A request whose response is complete does not report that its connection was closed.
  socket.once('close', finish)
}

/** Discards the rest of a request and of its connection, which the answer must close. */
export function cutOff(request: IncomingMessage): void {
  // With a listener the chunks that are already parsed are not kept.
  request.on('data', () => {}).resume()
  // Fastify's inject has no real socket.
  if (request.socket instanceof Duplex) discard(request.socket)
}
