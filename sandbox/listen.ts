import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import { SandboxError } from './errors.ts'
import { serverFor } from './server.ts'

/** A server that listens. */
export interface Listening {
  /** Such as `http://127.0.0.1:4100`. */
  origin: string
  /** Ends open connections too. */
  close: () => Promise<void>
}

/**
 * Serves the application on an address of this machine.
 * @param address port: 0 takes a free one; host: such as 127.0.0.1, or one of all addresses of this machine
 * @throws SandboxError if the port can not be had
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
      const text = `can not listen on ${host}: this machine has no such address. Choose another with --host.`
      throw new SandboxError('host_unusable', text, { cause: error })
    }
    const reason =
      code === 'EADDRINUSE' ? 'it is taken' : code === 'EACCES' ? 'it needs a privilege' : message
    const text = `can not listen on port ${port}: ${reason}. Choose another with --port (0 takes a free one).`
    throw new SandboxError('port_unusable', text, { cause: error })
  }
  const { port: taken } = server.address() as AddressInfo
  return { origin: `http://${nameOf(host)}:${taken}`, close: () => closed(server) }
}

/** How this machine itself reaches it, whatever else does. */
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
