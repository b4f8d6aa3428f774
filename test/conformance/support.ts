import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { createKit, type Kit, type KitOptions } from '../../conformance/case/kit.ts'
import type { CatalogueCase } from '../../conformance/case/model.ts'
import { CATALOGUE, type CaseId } from '../../conformance/catalogue/index.ts'

export const SECRET = 'whsec_of_the_conformance_tests'

/** The kit of a case with a fixed clock, for tests that need no receiver. */
export function kitOf(caseId: string, options: Partial<Omit<KitOptions, 'now'>> = {}): Kit {
  return createKit(caseId, { secret: SECRET, seed: '1', mode: 'test', ...options, now: () => NOW })
}

/** A fixed clock in Unix seconds. */
export const NOW = 1_750_000_000

/** Looks a case up; a mistyped id does not compile. */
export function caseOf(id: CaseId): CatalogueCase {
  const found = CATALOGUE.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no case ${id}`)
  return found
}

/** Clears something away when the running test is over; concurrent tests hand in their own. */
export type Finished = (clear: () => void | Promise<void>) => void

/** A request as it arrived, body and all. */
export interface Received {
  readonly request: IncomingMessage
  readonly body: Buffer
}

/** A server of a test. */
export interface Served {
  /** Its base address, without a slash at the end. */
  readonly url: string
  /** Closes it and breaks its connections, as a crash would. */
  readonly stop: () => void
}

/** Starts an HTTP server that hands every whole request to `answer`. */
export async function serve(
  answer: (received: Received, response: ServerResponse) => unknown,
  finished: Finished = onTestFinished,
): Promise<Served> {
  const server = createServer((request, response) => {
    // A sender that breaks off gets no answer, nor does one at whom the test's own receiver fails.
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

/** Starts a TCP server that is told of every connection. */
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

/** A port on which nobody listens. */
export async function deadPort(): Promise<number> {
  const server = createRawServer()
  const port = await portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
