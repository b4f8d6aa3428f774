import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Connection } from './connections.ts'
import type { RefusalCode } from './refusals.ts'
import { refusalBytes } from './refuse.ts'

/**
 * How long a connection stays open after its last response, in milliseconds. Closing it while the client is sending would
 * discard responses that the client has not read yet.
 */
const LINGER_MS = 1000

/** Makes a response the last one of its connection. Requests after it are not handled; clients send them again. RFC 9112 9.3.2. */
export function makeLast(connection: Connection, response: ServerResponse, onIgnored: () => void): void {
  connection.closing = true
  response.shouldKeepAlive = false
  // One read contains up to 2,500 requests, and Node.js would create all of them. 2 stops its parser, as for an upgrade.
  const { parser } = connection.socket as { parser?: { onIncoming?: () => number } }
  const ignore = (): number => {
    discard(connection.socket)
    onIgnored()
    return 2
  }
  if (parser) parser.onIncoming = ignore
}

/** Ends a connection with a refusal, after the responses to its complete requests. */
export function endWith(code: RefusalCode, socket: Duplex, connection: Connection | undefined): void {
  if (connection) connection.closing = true
  discard(socket)
  const waiting = [...(connection?.open ?? [])].filter(({ req }) => req.complete)
  const last = waiting.at(-1)
  if (last === undefined) end()
  else last.once('close', end)

  function end(): void {
    // Present only if the request itself is at fault, in its body.
    const [current] = connection?.open ?? []
    if (socket.writable) socket.end(current?.headersSent ? undefined : refusalBytes(code))
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
    socket.once('close', () => clearTimeout(timer))
  }
}

/** How much of what a closing connection still sends is read, in bytes. */
const MAX_DISCARDED = 1024 * 1024

/** Reads and ignores what a connection still sends, up to a limit. */
function discard(socket: Duplex): void {
  let left = MAX_DISCARDED
  // Without the listener of node:http, its parser gets nothing more.
  socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left <= 0) socket.pause()
  })
  socket.resume()
}
