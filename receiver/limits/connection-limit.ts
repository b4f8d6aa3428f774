import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { type Connection, type Connections, connectionEvent } from './connections.ts'

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

/** An idle connection is closed before one whose body is arriving only after this time, in milliseconds: its request may be in transit. */
const GRACE_MS = 1000

/**
 * Limits the connections of a server. A new connection replaces the oldest one that is idle or whose body has not arrived;
 * a connection that waits for the response to a complete request is never closed. With `server.maxConnections` alone, idle
 * clients could keep all others out. Call it after `trackConnections`.
 * @param now the clock of `trackConnections`
 */
export function limitConnections(
  server: Server,
  connections: Connections,
  { maxConnections, onEvicted = () => {} }: ConnectionLimit,
  now = () => performance.now(),
): void {
  server.on(connectionEvent(server), (socket: Socket) => {
    if (connections.size <= maxConnections) return
    const created = connections.of(socket)
    if (created === undefined) return
    const [evicted, connection] = choose(connections, created, now())
    connections.close(connection)
    onEvicted(evicted)
  })
}

function choose({ idle, busy }: Connections, created: Connection, time: number): [Evicted, Connection] {
  const [idlest = created] = idle
  if (time - idlest.since > GRACE_MS) return ['idle', idlest]
  const incomplete = first(busy, isIncomplete)
  if (incomplete !== undefined && incomplete.since <= idlest.since) return ['incomplete', incomplete]
  if (idlest !== created) return ['idle', idlest]
  const unread = first(busy, isAnswered)
  return unread === undefined ? ['new', created] : ['unread', unread]
}

function first(
  connections: Iterable<Connection>,
  matches: (connection: Connection) => boolean,
): Connection | undefined {
  for (const connection of connections) if (matches(connection)) return connection
  return undefined
}

/** Whether the last request is incomplete, and no other one waits for its response. */
function isIncomplete({ open }: Connection): boolean {
  let incomplete = false
  for (const { req, writableEnded } of open) {
    if (!req.complete) incomplete = true
    else if (!writableEnded) return false
  }
  return incomplete
}

function isAnswered({ open }: Connection): boolean {
  for (const { writableEnded } of open) if (!writableEnded) return false
  return true
}

/** Assumed where the operating system does not report its limit: the usual one of Linux. */
const USUAL_LIMIT = 1024

/**
 * How many connections a program may accept, so that descriptors remain for its files, its database and its log.
 * @param wanted the configured number, which the descriptors may lower
 * @param limit the limit of open files of the process
 */
export function connectionLimit(wanted: number, limit = descriptorLimit()): number {
  const reserved = Math.min(256, Math.max(64, Math.ceil(limit / 4)))
  return Math.max(1, Math.min(wanted, Math.max(Math.floor(limit / 4), limit - reserved)))
}

/** The maximum number of open files of this process. @param file the limits as Linux reports them */
export function descriptorLimit(file = '/proc/self/limits'): number {
  try {
    const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync(file, 'utf8')) ?? []
    if (soft === 'unlimited') return Number.MAX_SAFE_INTEGER
    return Number(soft) || USUAL_LIMIT
  } catch {
    return USUAL_LIMIT
  }
}
