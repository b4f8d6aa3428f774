import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** An open connection of an HTTP server. */
export interface Connection {
  readonly socket: Socket
  /** The responses that are not completely sent yet, in the order of their requests. */
  readonly open: Set<ServerResponse>
  /** When it became idle or busy, by a monotonic clock in milliseconds. */
  since: number
  /** How many requests it has sent. */
  requests: number
  /** How many of them arrived in the current turn of the event loop. */
  requestsInTurn: number
  /** Whether it is closing: further requests are ignored. */
  closing: boolean
}

/** The event with the socket that the requests of a server have: TLS has one of its own. */
export const connectionEvent = (server: Server): string =>
  'setSecureContext' in server ? 'secureConnection' : 'connection'

/** The open connections of an HTTP server. */
export interface Connections {
  readonly size: number
  /** Connections without an open request, in the order in which they became idle. */
  readonly idle: ReadonlySet<Connection>
  /** Connections with an open request, in the order in which they became busy. */
  readonly busy: ReadonlySet<Connection>
  /** The connection of a socket; undefined once it is closed. */
  of(socket: Socket): Connection | undefined
  /** Adds a request. Call it once for each request. */
  begin(connection: Connection, response: ServerResponse): void
  /** Closes a connection immediately. From then on it does not count. */
  close(connection: Connection): void
}

/**
 * Tracks the connections of a server. Call it before the server listens.
 * @param now a monotonic clock, in milliseconds
 */
export function trackConnections(server: Server, now = () => performance.now()): Connections {
  const bySocket = new Map<Socket, Connection>()
  // A Set keeps insertion order, so the first is the oldest.
  const idle = new Set<Connection>()
  const busy = new Set<Connection>()

  // Those that sent a request in the current turn of the event loop.
  let inTurn: Connection[] = []
  function endTurn(): void {
    for (const connection of inTurn) connection.requestsInTurn = 0
    inTurn = []
  }

  function forget(connection: Connection): void {
    bySocket.delete(connection.socket)
    idle.delete(connection)
    busy.delete(connection)
  }

  server.on(connectionEvent(server), (socket: Socket) => {
    const connection: Connection = {
      socket,
      open: new Set(),
      since: now(),
      requests: 0,
      requestsInTurn: 0,
      closing: false,
    }
    bySocket.set(socket, connection)
    idle.add(connection)
    socket.once('close', () => forget(connection))
  })
  // Then its requests and responses are over, and others decide how long it stays open.
  for (const event of ['upgrade', 'connect']) {
    if (server.listenerCount(event) === 0) continue
    server.on(event, ({ socket }: IncomingMessage) => {
      const connection = bySocket.get(socket)
      if (connection) forget(connection)
    })
  }

  // One function for all responses, because a closure for each would cost more than the rest of the tracking.
  function onResponseClose(this: ServerResponse): void {
    const connection = bySocket.get(this.req.socket)
    if (connection === undefined) return
    connection.open.delete(this)
    if (connection.open.size > 0) return
    connection.since = now()
    busy.delete(connection)
    idle.add(connection)
  }

  return {
    get size() {
      return bySocket.size
    },
    idle,
    busy,
    of: (socket) => bySocket.get(socket),
    begin(connection, response) {
      connection.requests += 1
      connection.requestsInTurn += 1
      if (connection.requestsInTurn === 1 && inTurn.push(connection) === 1) setImmediate(endTurn)
      if (connection.open.size === 0) {
        connection.since = now()
        idle.delete(connection)
        busy.add(connection)
      }
      connection.open.add(response)
      response.on('close', onResponseClose)
    },
    close(connection) {
      forget(connection)
      connection.socket.destroy()
    },
  }
}
