import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopbackAddress } from './peer.ts'

/** The most connections of other machines: this machine's own are not limited, so that others cannot keep it out. */
const MOST_REMOTE = 256

/** The most requests of a connection that wait for their responses. */
const MOST_PIPELINED = 64

/** How long a connection may be without any progress, in milliseconds. Streams have heartbeats. */
const STUCK_MS = 60_000

/**
 * Limits what one client can hold: connections, requests that it sends without reading the responses, and responses that it
 * does not read.
 */
export function limitConnections(server: Server): void {
  let remote = 0
  const open = new WeakMap<Socket, number>()

  server.on('connection', (socket: Socket) => {
    if (isLoopbackAddress(socket.remoteAddress)) return
    if (remote >= MOST_REMOTE) return void socket.destroy()
    remote += 1
    socket.once('close', () => (remote -= 1))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = (open.get(socket) ?? 0) + 1
    open.set(socket, count)
    response.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1))
    if (count > MOST_PIPELINED) socket.destroy()
  })
  server.setTimeout(STUCK_MS)
}
