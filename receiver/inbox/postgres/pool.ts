import { type ClientBase, Pool } from 'pg'
import { InboxError } from '../../inbox.ts'
import { trackSockets } from './sockets.ts'
import { normalizeTls } from './tls.ts'
import { mayMisplacePassword } from './url.ts'

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
 * number of connections; all other parameters are those of libpq, except sslmode (see `normalizeTls`).
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
  normalizeTls(url.searchParams)
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
