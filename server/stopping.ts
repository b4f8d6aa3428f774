import { once } from 'node:events'
import type { Server } from 'node:http'
import { type Socket, Server as TcpServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** A server that can be stopped without a loss to those who are connected. */
export interface Stoppable {
  /** Answers with `Connection: close` from now on, so that clients look for another server. */
  drain(): void
  /**
   * Takes no new connection, answers what is under way, and ends the connections that stay idle. After `withinMs`
   * milliseconds it cuts what is left.
   */
  stop(withinMs: number): Promise<void>
}

/** How long nobody must have been answered before a connection counts as idle, in milliseconds. */
const QUIET_MS = 250

/** Keeps an eye on the connections of a server, from before it listens. */
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

  async function stop(withinMs: number): Promise<void> {
    drain()
    const closed = once(server, 'close')
    // Whoever is in the queue of the system has been connected: a turn, so that they are taken before the door closes.
    await nextTurn()
    // Not close() of http, which at once ends the connections whose next request may be on its way.
    TcpServer.prototype.close.call(server)
    const over = new AbortController()
    const cut = setTimeout(() => server.closeAllConnections(), withinMs)
    void endIdle(over.signal)
    await closed
    over.abort()
    clearTimeout(cut)
    // It is closed, and this ends the timer with which http watches its connections.
    server.close()
  }

  /** A client whose last answer came without `Connection: close` sends its next request soon, or has none to send. */
  async function endIdle(over: AbortSignal): Promise<void> {
    let before = Number.NaN
    while (!over.aborted) {
      const now = [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, sockets.size)
      if (now === before) {
        server.closeIdleConnections()
        // Http counts a connection on which nothing has come yet as one with a request.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }
      before = now
      await pause(QUIET_MS, undefined, { ref: false })
      // So that what has arrived by now is read before anything is closed.
      await nextTurn()
    }
  }

  let stopped: Promise<void> | undefined
  return { drain, stop: (withinMs) => (stopped ??= stop(withinMs)) }
}
