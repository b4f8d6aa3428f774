import { once } from 'node:events'
import { Socket } from 'node:net'

/** The sockets of a pool. The pool itself neither waits until they are closed nor can it close them at once. */
export interface Sockets {
  /** The pool gets each of its sockets here. */
  open(): Socket
  /** Resolves when all of them are closed. */
  closed(): Promise<void>
  /** Closes them at once, which rejects every statement in progress. */
  destroy(): void
}

/** Tracks the sockets of a pool. */
export function trackSockets(): Sockets {
  const sockets = new Set<Socket>()
  return {
    open() {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    async closed() {
      await Promise.all([...sockets].map((socket) => once(socket, 'close')))
    },
    destroy() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
