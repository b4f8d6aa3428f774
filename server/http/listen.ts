import { once } from 'node:events'
import type { Server } from 'node:http'
import { withoutCredentials } from '../config.ts'

/** The server cannot listen on the address; the message names the reason and the fix. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

export interface Address {
  host: string
  port: number
  /** What sets host and port, for messages; default: the environment variables HOST and PORT. */
  setBy?: SetBy | undefined
}

/** The names of options or environment variables. */
export interface SetBy {
  readonly host: string
  readonly port: string
}

/**
 * Starts to listen on an address.
 * @throws ListenError if that fails.
 */
export async function listen(server: Server, address: Address): Promise<void> {
  const { host, port, setBy = { host: 'HOST', port: 'PORT' } } = address
  try {
    // Longer than the default backlog, so that a burst of connections is not dropped; the operating system may lower it.
    server.listen({ port, host, backlog: 4096 })
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const known = LISTEN_PROBLEMS.get(code)
    const reason = known?.(setBy) ?? `${message}. Check ${setBy.host} and ${setBy.port}.`
    throw new ListenError(`cannot listen on ${withoutCredentials(host)} port ${port}: ${reason}`, {
      cause: error,
    })
  }
}

const LISTEN_PROBLEMS = new Map<string | undefined, (setBy: SetBy) => string>([
  [
    'EADDRINUSE',
    ({ port }) =>
      `the port is in use. Stop the other program, or set ${port} to another port (0 selects a free one).`,
  ],
  ['EACCES', ({ port }) => `ports below 1024 require a privilege. Set ${port} to a higher port.`],
  [
    'EADDRNOTAVAIL',
    ({ host }) => `this machine does not have that address. Set ${host} to an address of this machine.`,
  ],
  ['ENOTFOUND', ({ host }) => `unknown host. Set ${host} to an address of this machine.`],
])

/** The base URL of a server, without a trailing slash. */
export const baseUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
