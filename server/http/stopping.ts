import { once } from 'node:events'
import type { Server } from 'node:http'
import { type Socket, Server as TcpServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** A server that can be stopped without breaking open requests. */
export interface Stoppable {
  /** Answers with `Connection: close` from now on, so that clients connect to another server. */
  drain(): void
  /**
   * Accepts no new connections, answers open requests and closes idle connections. After `timeoutMs` milliseconds it
   * closes the remaining connections.
   */
  stop(timeoutMs: number): Promise<void>
}

/** How long the server must not have sent anything before connections count as idle, in milliseconds. */
const QUIET_MS = 250

/** Makes a server stoppable. Call it before the server listens, because it tracks the connections. */
export function stoppable(server: Server): Stoppable {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  let draining = false
  function drain(): void {
    if (draining) return
    draining = true
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  }

  async function stop(timeoutMs: number): Promise<void> {
    drain()
    const closed = once(server, 'close')
    // Connections in the backlog are already established for their clients: one turn, so that they are accepted first.
    await nextTurn()
    // Not close() of http, which immediately closes idle connections whose next request may be in transit.
    TcpServer.prototype.close.call(server)
    const finished = new AbortController()
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs)
    void closeIdle(finished.signal)
    await closed
    finished.abort()
    clearTimeout(timer)
    // The port is already closed; this stops the timer with which http checks its connections.
    server.close()
  }

  /** Closes idle connections once the server is quiet: by then a client that has another request has sent it. */
  async function closeIdle(finished: AbortSignal): Promise<void> {
    let before = Number.NaN
    while (!finished.aborted) {
      const now = [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, sockets.size)
      if (now === before) {
        server.closeIdleConnections()
        // http counts a connection that has not received anything yet as active.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }
      before = now
      await pause(QUIET_MS, undefined, { ref: false })
      // Reads what has already arrived before closing anything.
      await nextTurn()
    }
  }

  let stopped: Promise<void> | undefined
  return { drain, stop: (timeoutMs) => (stopped ??= stop(timeoutMs)) }
}
