import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection, Connections } from './connections.ts'

/**
 * Which connection was closed to make room: one without a request, one whose body had not arrived, one that did not read
 * its responses, or the new one, because all others were waiting for a response.
 */
export type Evicted = 'idle' | 'incomplete' | 'unread' | 'new'

export interface ConnectionLimit {
  /** The maximum number of open connections. */
  maxConnections: number
  /** Called for each connection that is closed to make room. */
  onEvicted?: (evicted: Evicted) => void
}

/**
 * Limits the connections of a server. A new connection replaces the oldest one that costs its client least; a connection
 * that waits for the response to a complete request is never closed. With `server.maxConnections` idle clients could keep
 * all others out. Call it after `trackConnections`.
 */
export function limitConnections(server: Server, connections: Connections, limit: ConnectionLimit): void {
  const { maxConnections, onEvicted = () => {} } = limit
  server.on('connection', (socket: Socket) => {
    if (connections.size <= maxConnections) return
    const created = connections.of(socket)
    if (created === undefined) return
    const [evicted, connection] = choose(connections, created)
    connections.close(connection)
    onEvicted(evicted)
  })
}

function choose({ idle, busy }: Connections, created: Connection): [Evicted, Connection] {
  const [oldest] = idle
  if (oldest !== undefined && oldest !== created) return ['idle', oldest]
  const candidates = [...busy].filter((connection) => !isWaiting(connection))
  const incomplete = candidates.find(({ open }) => [...open].some(({ req }) => !req.complete))
  if (incomplete !== undefined) return ['incomplete', incomplete]
  const [unread] = candidates
  return unread === undefined ? ['new', created] : ['unread', unread]
}

/** Whether the server has not finished the response to a complete request. */
const isWaiting = ({ open }: Connection): boolean =>
  [...open].some(({ req, writableEnded }) => req.complete && !writableEnded)
