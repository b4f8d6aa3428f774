import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { type ClientBase, Pool } from 'pg'
import { InboxError } from '../../inbox.ts'
import { inOneLine } from '../../shared/errors.ts'
import { mayMisplacePassword } from './errors.ts'

/** The default number of connections: some to process events, some to accept deliveries. */
const DEFAULT_CONNECTIONS = 12

/** How long a statement may take, in milliseconds. */
const QUERY_TIMEOUT_MS = 30_000

/** Postgres cancels a statement somewhat earlier than the driver gives up on it. */
const SERVER_SHARE = 0.8

/** Limits the statements of a session, unless it has a lower limit. */
const STATEMENT_TIMEOUT = `SELECT set_config('statement_timeout', $1, false)
  WHERE current_setting('statement_timeout')::interval NOT BETWEEN '1 ms' AND $1::interval`

/** The pool of the receiver. */
export interface ReceiverPool extends Pool {
  /** Ends the pool when its statements have ended, and waits until the connections are closed. */
  close(): Promise<void>
  /** Closes the connections at once, which rejects every statement in progress; Postgres then rolls it back. */
  disconnect(): void
}

/**
 * Creates the pool of the receiver from the URL of a database, without connecting. `?pool=20` in the URL sets the maximum
 * number of connections; all other parameters are those of libpq, except sslmode (see `checkTls`).
 * @param options how long a statement may take
 * @throws InboxError if the URL, or a file that it names, cannot be used. The message never shows the URL, which contains
 * a password.
 */
export function openPool(
  text: string,
  { queryTimeoutMs = QUERY_TIMEOUT_MS }: { queryTimeoutMs?: number } = {},
): ReceiverPool {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !decodes(url) || mayMisplacePassword(url)) {
    throw new InboxError(
      'inbox: the database URL is not valid. Use postgres://user:password@host:5432/database, and in the password write %40 for @, %2F for /, %3F for ? and %23 for #.',
    )
  }
  const size = url.searchParams.get('pool') ?? String(DEFAULT_CONNECTIONS)
  if (!/^[1-9][0-9]{0,2}$/.test(size)) {
    throw new InboxError('inbox: "pool" in the database URL must be an integer from 1 to 999.')
  }
  url.searchParams.delete('pool')
  checkTls(url.searchParams)
  const sockets = trackSockets()
  // Without this a statement that waits for a lock would keep its connection on the server, while the driver opens others
  // until the server has none left. Not a parameter of the connection, because PgBouncer would reject it.
  const hooks = {
    async onConnect(client: ClientBase) {
      await client.query(STATEMENT_TIMEOUT, [`${queryTimeoutMs * SERVER_SHARE} ms`])
    },
  }
  const pool = new Pool({
    connectionString: url.href,
    max: Number(size),
    application_name: 'hookproof',
    keepAlive: true,
    // A sender is waiting: a 503 is better than no answer.
    connectionTimeoutMillis: 5000,
    query_timeout: queryTimeoutMs,
    stream: () => sockets.open(),
    ...hooks,
  })
  return Object.assign(pool, {
    async close() {
      await pool.end()
      await sockets.closed()
    },
    disconnect() {
      // So that nothing connects again. It has already been called if the connections did not close in time.
      if (!pool.ending) void pool.end()
      sockets.destroy()
    },
  })
}

function decodes({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + pathname)
    return true
  } catch {
    return false
  }
}

/** The driver treats these modes as verify-full, with a warning that a later version will check less. */
const TREATED_AS_VERIFY_FULL = ['prefer', 'require', 'verify-ca']

/**
 * Replaces those modes by verify-full, so that a later driver does not check less, and checks the files, which would otherwise
 * fail during a handshake, where the error ends the process. With `uselibpqcompat=true` the modes keep their meaning in libpq.
 */
function checkTls(parameters: URLSearchParams): void {
  const compatible = parameters.get('uselibpqcompat') === 'true'
  if (!compatible && TREATED_AS_VERIFY_FULL.includes(parameters.get('sslmode') ?? ''))
    parameters.set('sslmode', 'verify-full')
  try {
    const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => {
      const path = parameters.get(name)
      return path ? readPem(path) : undefined
    })
    createSecureContext({ ca, cert, key })
  } catch (error) {
    throw new InboxError(
      `inbox: sslrootcert, sslcert and sslkey in the database URL must be files in PEM format that the receiver can read: ${inOneLine(error)}`,
      { cause: error },
    )
  }
}

/** Larger files are not PEM. */
const MAX_PEM_BYTES = 1_048_576

function readPem(path: string): string {
  const file = statSync(path)
  // A device such as /dev/zero has no end.
  if (!file.isFile() || file.size > MAX_PEM_BYTES) throw new Error(`${path} is not a file of at most 1 MiB`)
  return readFileSync(path, 'utf8')
}

/** The sockets of a pool. The pool itself neither waits until they are closed nor can it close them at once. */
interface Sockets {
  /** The pool gets each of its sockets here. */
  open(): Socket
  /** Resolves when all of them are closed. */
  closed(): Promise<void>
  /** Closes them at once, which rejects every statement in progress. */
  destroy(): void
}

/** Tracks the sockets of a pool. */
function trackSockets(): Sockets {
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
