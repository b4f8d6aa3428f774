import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Finished } from '../support/temporary.ts'

/** A request with its body. */
export interface Received {
  readonly request: IncomingMessage
  readonly body: Buffer
}

/** A server of a test. */
export interface Served {
  /** Its base URL, without a trailing slash. */
  readonly url: string
  /** Closes the server and its connections abruptly, as a crash would. */
  readonly stop: () => void
}

/** Starts an HTTP server that passes every complete request to `answer`. */
export async function serve(
  answer: (received: Received, response: ServerResponse) => unknown,
  finished: Finished = onTestFinished,
): Promise<Served> {
  const server = createServer((request, response) => {
    // An aborted request gets no response, nor does one for which `answer` throws.
    buffer(request)
      .then((body) => answer({ request, body }, response))
      .catch(() => response.destroy())
  })
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  finished(stop)
  return { url: `http://127.0.0.1:${await portOf(server)}`, stop }
}

/** Starts a TCP server that passes every connection to `connected`. */
export async function serveRaw(
  connected: (socket: Socket) => void,
  finished: Finished = onTestFinished,
): Promise<Served> {
  const sockets = new Set<Socket>()
  const server = createRawServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    connected(socket)
  })
  const stop = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  finished(stop)
  return { url: `http://127.0.0.1:${await portOf(server)}`, stop }
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}
