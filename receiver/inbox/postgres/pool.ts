import { Pool } from 'pg'
import { InboxError } from '../../inbox.ts'
import { normalizeTls } from './tls.ts'

/** The default number of connections: some to process events, some to accept deliveries. */
const DEFAULT_CONNECTIONS = 12

/**
 * Creates the pool of the receiver from the URL of a database, without connecting. `?pool=20` in the URL sets the maximum
 * number of connections; all other parameters are those of libpq, except sslmode (see `normalizeTls`).
 * @throws InboxError if the URL, or a file that it names, cannot be used. The message never shows the URL, which contains
 * a password.
 */
export function openPool(text: string): Pool {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !decodes(url) || hasPassword(url)) {
    throw new InboxError(
      'inbox: the database URL is not valid. Use postgres://user:password@host:5432/database, and write %40 for @, %2F for /, %3F for ? and %23 for # in the password.',
    )
  }
  const size = url.searchParams.get('pool') ?? String(DEFAULT_CONNECTIONS)
  if (!/^[1-9][0-9]{0,2}$/.test(size)) {
    throw new InboxError('inbox: "pool" in the database URL must be an integer from 1 to 999.')
  }
  url.searchParams.delete('pool')
  normalizeTls(url.searchParams)
  return new Pool({
    connectionString: url.href,
    max: Number(size),
    application_name: 'hookproof',
    keepAlive: true,
    // A sender is waiting: a 503 is better than no answer.
    connectionTimeoutMillis: 5000,
    query_timeout: 30_000,
  })
}

/** Whether a part that is no password contains one, because a / or ? or # in the password ended it. */
function hasPassword({ pathname, searchParams, hash }: URL): boolean {
  return hash !== '' || [pathname, ...searchParams.keys()].some((text) => text.includes('@'))
}

function decodes({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + pathname)
    return true
  } catch {
    return false
  }
}
