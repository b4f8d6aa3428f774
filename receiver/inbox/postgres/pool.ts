import { Pool } from 'pg'
import { InboxError } from '../../inbox.ts'
import { settleTls } from './tls.ts'

/** One for each event that the receiver handles at once, and some for what comes in. */
const CONNECTIONS = 12

/**
 * The receiver's own pool, from the URL of a database. `?pool=20` in it sets how many connections there may be at most;
 * all else is as in libpq, but for sslmode, see `settleTls`. Nothing is connected yet.
 * @throws InboxError if the URL can not be used, or a file that it names; it never shows it, since a password is in it.
 */
export function openPool(text: string): Pool {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !decodes(url)) {
    throw new InboxError(
      'inbox: the URL of the database can not be read. Give postgres://user:password@host:5432/database, with %40 for an @ in the password.',
    )
  }
  const size = url.searchParams.get('pool') ?? String(CONNECTIONS)
  if (!/^[1-9][0-9]{0,2}$/.test(size)) {
    throw new InboxError('inbox: pool in the URL of the database must be a whole number from 1 to 999.')
  }
  url.searchParams.delete('pool')
  settleTls(url.searchParams)
  return new Pool({
    connectionString: url.href,
    max: Number(size),
    application_name: 'hookproof',
    keepAlive: true,
    // A sender waits for the answer: better a 503 than none.
    connectionTimeoutMillis: 5000,
    query_timeout: 30_000,
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
