import type { Duplex } from 'node:stream'
import { type Connection, discard } from '@hookproof/receiver'
import type { RefusalCode } from './refusals.ts'
import { refusalBytes } from './refuse.ts'

/**
 * How long a connection stays open after its last response, in milliseconds. Closing it while the client is sending would
 * discard responses that the client has not read yet.
 */
const LINGER_MS = 1000

/** Ends a connection with a refusal, after the responses to its complete requests. */
export function endWith(code: RefusalCode, socket: Duplex, connection: Connection | undefined): void {
  if (connection) connection.closing = true
  if (!socket.readableEnded) discard(socket)
  const waiting = [...(connection?.open ?? [])].filter(({ req }) => req.complete)
  const last = waiting.at(-1)
  if (last === undefined) end()
  else last.once('close', end)

  function end(): void {
    // Present only if the request itself is at fault, in its body.
    const [current] = connection?.open ?? []
    if (socket.writable) socket.end(current?.headersSent ? undefined : refusalBytes(code))
    // Nothing more can arrive after what is sent.
    if (socket.readableEnded && socket.writableLength === 0) {
      if (current) current.req.destroy()
      else socket.destroy()
      return
    }
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
    socket.once('close', () => clearTimeout(timer))
  }
}
