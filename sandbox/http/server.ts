import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Express } from 'express'
import { SandboxError } from '../errors.ts'
import { isLoopbackAddress } from './guard.ts'

const PORT_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use',
  EACCES: 'requires elevated privileges',
}

/** The ports above 1023 that browsers, and `fetch` of Node.js, do not connect to: https://fetch.spec.whatwg.org/#port-blocking */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10_080,
])

/**
 * Serves the application on an address of this machine.
 * @param address port: 0 picks a free one; host: such as 127.0.0.1, or 0.0.0.0 for all addresses
 * @throws SandboxError if the host or port cannot be used
 */
export async function listen(app: Express, { host, port }: { host: string; port: number }) {
  if (BLOCKED_PORTS.has(port)) {
    const text = `"port" ${port} is blocked by browsers, which could not open the dashboard. Use another one, such as 4100 (0 picks a free port).`
    throw new SandboxError('port_unusable', text, { names: ['port'] })
  }
  const server = createServer(TIMES, app)
  limitConnections(server)
  try {
    server.listen({ host, port, backlog: 1024 })
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      const text = `"host" ${host} is not an address of this machine.`
      throw new SandboxError('host_unusable', text, { names: ['host'], cause: error })
    }
    const reason = PORT_PROBLEMS[code ?? ''] ?? `cannot be used: ${message}`
    const text = `"port" ${port} ${reason}. Use another one (0 picks a free port).`
    throw new SandboxError('port_unusable', text, { names: ['port'], cause: error })
  }
  const { port: taken } = server.address() as AddressInfo
  return {
    /** Its origin, such as `http://127.0.0.1:4100`. */
    origin: `http://${nameOf(host)}:${taken}`,
    close: async (): Promise<void> => {
      const end = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await end
    },
  }
}

/** The host name by which this machine reaches the server. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** How long requests may take to arrive, in milliseconds. */
const TIMES = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 } as const
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
