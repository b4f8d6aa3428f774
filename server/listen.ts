import { once } from 'node:events'
import type { Server } from 'node:http'

/** The address can not be listened on; the message says why and how to mend that. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

export interface Address {
  host: string
  port: number
  /** The variables that set them, for a message. */
  variables?: { host: string; port: string }
}

/**
 * Listens on an address.
 * @throws ListenError if it can not be listened on.
 */
export async function listen(server: Server, address: Address): Promise<void> {
  const { host, port, variables = { host: 'HOST', port: 'PORT' } } = address
  try {
    // Longer than most backlogs, so that a burst of new connections is not dropped; the system may cut it.
    server.listen({ port, host, backlog: 4096 })
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const known = LISTEN_PROBLEMS.get(code)
    const reason = known?.(variables) ?? `${message}. Check ${variables.host} and ${variables.port}.`
    throw new ListenError(`can not listen on ${host} port ${port}: ${reason}`, { cause: error })
  }
}

const LISTEN_PROBLEMS = new Map<string | undefined, (set: { host: string; port: string }) => string>([
  [
    'EADDRINUSE',
    ({ port }) =>
      `the port is taken. Stop the other program, or set ${port} to another (0 takes a free one).`,
  ],
  ['EACCES', ({ port }) => `ports below 1024 need a privilege. Set ${port} to a higher one.`],
  ['EADDRNOTAVAIL', ({ host }) => `this machine does not have that address. Set ${host} to one of its own.`],
  ['ENOTFOUND', ({ host }) => `there is no such host. Set ${host} to an address of this machine.`],
])

/** The base address of a server, without a slash at the end. */
export const addressText = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
