import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import { SandboxError } from '../errors.ts'
import { serverFor } from './server.ts'

/** A listening server. */
export interface Listening {
  /** Its origin, such as `http://127.0.0.1:4100`. */
  origin: string
  /** Stops the server and closes open connections. */
  close: () => Promise<void>
}

/**
 * Serves the application on an address of this machine.
 * @param address port: 0 picks a free one; host: such as 127.0.0.1, or 0.0.0.0 for all addresses
 * @throws SandboxError if the host or port cannot be used
 */
export async function listen(
  app: Express,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = serverFor(app)
  try {
    server.listen({ host, port, backlog: 1024 })
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      const text = `"host" ${host} is not an address of this machine.`
      throw new SandboxError('host_unusable', text, { names: ['host'], cause: error })
    }
    const reason =
      code === 'EADDRINUSE'
        ? 'is already in use'
        : code === 'EACCES'
          ? 'requires elevated privileges'
          : `cannot be used: ${message}`
    const text = `"port" ${port} ${reason}. Use another one (0 picks a free port).`
    throw new SandboxError('port_unusable', text, { names: ['port'], cause: error })
  }
  const { port: taken } = server.address() as AddressInfo
  return { origin: `http://${nameOf(host)}:${taken}`, close: () => closed(server) }
}

/** The host name by which this machine reaches the server. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

async function closed(server: Server): Promise<void> {
  const end = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await end
}
