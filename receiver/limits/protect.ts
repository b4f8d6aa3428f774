import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { guarded } from '../shared/callback.ts'
import { requirePositiveIntegers } from '../shared/options.ts'
import { connectionLimit, type Evicted, limitConnections } from './connection-limit.ts'
import { type Connection, type Connections, trackConnections } from './connections.ts'
import { discard, readInTurn } from './reads.ts'

export { discard } from './reads.ts'

/** Why the server closed a connection: `pipelined` sent too many requests without waiting for the responses. */
export type ClosedConnection = Evicted | 'pipelined'

/** Limits on what the clients of a server can hold. */
export interface ProtectOptions {
  /** The maximum number of open connections; the limit of open files of the process may lower it. */
  maxConnections?: number
  /** How long a request head may take to arrive, in milliseconds. */
  headTimeoutMs?: number
  /** How long a client may not read its responses, in milliseconds. */
  unreadTimeoutMs?: number
  /** Called for each connection that was closed because of a limit. What it throws is logged. */
  onClosed?: (reason: ClosedConnection) => void
}

/** Limited, so that connections are redistributed over several receivers. */
const MAX_REQUESTS = 10_000

/** The maximum number of requests of a connection that wait for their responses. */
const MAX_PIPELINED = 16

/** The events of a server that start a request. */
const REQUESTS = ['request', 'checkContinue', 'checkExpectation'] as const

/**
 * Limits the clients of a server of node:http or node:https: how many connections they open, how slowly they send heads or
 * read responses, and how many requests they send without waiting for responses. Call it after the server has its request
 * listener, and before it accepts connections; in the same turn as `listen` is early enough:
 *
 *     protect(app.listen(3000))
 *
 * It applies to every route. A connection that is upgraded, to WebSocket for example, is not limited after that.
 * @returns the open connections
 * @throws TypeError if it is not such a server, or a number is not an integer of at least 1. SPEC.md 10.
 */
export function protect(server: Server, options: ProtectOptions = {}): Connections {
  const { maxConnections = 10_000, headTimeoutMs = 10_000, unreadTimeoutMs = 10_000 } = options
  requirePositiveIntegers({ maxConnections, headTimeoutMs, unreadTimeoutMs })
  if (typeof server?.headersTimeout !== 'number')
    throw new TypeError('protect: pass the server of node:http, which listen() of most frameworks returns.')
  const onClosed = guarded('onClosed', options.onClosed ?? (() => {}))
  const connections = trackConnections(server)
  limitConnections(server, connections, {
    maxConnections: connectionLimit(maxConnections),
    onEvicted: onClosed,
  })
  const flooding = new WeakSet<Connection>()
  // After its last response a connection is closed, and what it sends until then is ignored.
  function ignore(connection: Connection): void {
    discard(connection.socket)
    if (flooding.delete(connection)) onClosed('pipelined')
  }
  readInTurn(server, connections, { onIgnored: ignore, onEvicted: () => onClosed('incomplete') })

  const limited =
    (handle: RequestListener): RequestListener =>
    (request, response) => {
      const { socket } = request
      const connection = connections.of(socket)
      if (connection === undefined) return socket.destroyed ? undefined : handle(request, response)
      if (connection.closing) return ignore(connection)
      connections.begin(connection, response)
      // A response that is already sent counts too, until the client can have read it.
      const isFull = Math.max(connection.open.size, connection.requestsInTurn) >= MAX_PIPELINED
      if (isFull || connection.requests >= MAX_REQUESTS) {
        // Clients send the requests after it again. RFC 9112 9.3.2.
        connection.closing = true
        if (isFull) flooding.add(connection)
        response.setHeader('Connection', 'close')
      }
      return handle(request, response)
    }
  for (const event of REQUESTS) intercept(server, event, limited)
  intercept(server, 'connection', (handle: (socket: Socket) => void) => (socket) => {
    if (hasLeft(socket)) socket.destroy()
    else handle(socket)
  })

  server.headersTimeout = headTimeoutMs
  server.timeout = unreadTimeoutMs
  server.on('timeout', (socket) => {
    const connection = connections.of(socket)
    const isIdle = connection?.open.size === 0 && connection.requests > 0
    // Other limits apply to a request that arrives slowly. A request that waits for the store is not the client's fault.
    const isUnread = socket.writableLength > 0
    if (isUnread) onClosed('unread')
    if (isIdle || isUnread) socket.destroy()
  })
  return connections
}

/** Puts a function around all listeners of an event, if there are any. */
function intercept<Args extends unknown[]>(
  server: Server,
  event: string,
  around: (handle: (...args: Args) => void) => (...args: Args) => void,
): void {
  const listeners = server.rawListeners(event)
  if (listeners.length === 0) return
  server.removeAllListeners(event)
  const handle = around((...args) => {
    for (const listener of listeners) listener.apply(server, args)
  })
  server.on(event, handle as (...args: unknown[]) => void)
}

/**
 * Whether a client has reset its connection before it was accepted, as most have that wait in a flood of resets: to close it at
 * once costs a fraction of what its request would. Unix sockets have no addresses.
 */
const hasLeft = (socket: Socket): boolean =>
  socket.remoteAddress === undefined && socket.localAddress !== undefined
