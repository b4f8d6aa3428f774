import type { Pool } from 'pg'
import { InboxError } from '../../inbox.ts'
import { inOneLine } from '../../shared/errors.ts'
import { FSYNC_OFF } from './durable.ts'

/**
 * Explanations of errors whose own message does not say enough, for the person who has to fix the problem. The patterns match
 * the code and the message of an error of Postgres or its driver.
 */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(FSYNC_OFF),
    'fsync is off, so a power failure would lose acknowledged deliveries and could damage the database. Set it to on (ALTER SYSTEM SET fsync = on, then SELECT pg_reload_conf()).',
  ],
  [/^(ENOTFOUND|EAI_AGAIN) /, 'unknown host name. Correct the host in the URL, or check your DNS server.'],
  [/^ECONNREFUSED /, 'connection refused. Start Postgres, or correct the host and the port in the URL.'],
  [/^28P01 /, 'wrong password. Correct the user and the password in the URL.'],
  [
    /^28000 /,
    'the server rejects this user. Correct the user in the URL, or pg_hba.conf; if the server requires TLS, add sslmode=verify-full to the URL.',
  ],
  [/password must be|no password/i, 'the server requires a password. Add it to the URL.'],
  [
    /does not support SSL/i,
    'the server does not support TLS. Turn on TLS in Postgres (ssl = on); omit sslmode from the URL only on a network that you trust.',
  ],
  [
    /certificate|self.signed/i,
    'the certificate of the server is not trusted. Add sslrootcert to the URL: the path of the CA certificate.',
  ],
  [/^25006 /, 'the server is read-only or a standby. Use the URL of the primary.'],
  [
    /timeout|timed out/i,
    'no answer in time. Check the host and the port in the URL, the firewall, and the load and the locks (pg_locks) of Postgres.',
  ],
  [
    /^(ECONNRESET|57P0[123]) |terminated/i,
    'the connection was lost. Check that Postgres listens on the host and the port in the URL, and its log: it may be starting or stopping.',
  ],
]

/** What to do about other errors, by the code of Postgres. */
const FIXES: Readonly<Record<string, string>> = {
  '3D000': 'Create it with createdb, or correct the name in the URL.',
  '42501': 'GRANT the privileges in docs/inbox.md to the user.',
  '42P01': 'Restore it from a backup.',
}

/** The name of a database in messages: host, port and database, never the user or the password. */
export function nameOf({ options }: Pool): string {
  const { connectionString } = options
  const url =
    connectionString !== undefined && URL.canParse(connectionString) ? new URL(connectionString) : undefined
  if (url && mayMisplacePassword(url)) return 'postgres (with a URL that is not valid)'
  const host = url?.hostname || url?.searchParams.get('host') || options.host || process.env['PGHOST']
  const port = url?.port || options.port || process.env['PGPORT'] || 5432
  const database = url?.pathname.slice(1) || options.database || process.env['PGDATABASE']
  // The driver then tries this machine, and the database named like the user.
  return `postgres ${host || 'localhost'}:${port}/${database || '(no database given)'}`
}

/** Converts anything that was thrown to an error that names the database and the fix, in one line. */
export function postgresError(error: unknown, name: string): InboxError {
  if (error instanceof InboxError) return error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const explained = EXPLANATIONS.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1]
  const reason = explained ?? `${inOneLine(error)}. ${FIXES[code] ?? 'Check the log of Postgres.'}`
  return new InboxError(`inbox ${name}: ${reason}`, { cause: error })
}

/**
 * Whether a database URL may contain the password in another place: a `/`, `?` or `#` in a password ends the part of the
 * URL that contains it, unless it is escaped. Then no part of the URL may be shown.
 */
export function mayMisplacePassword({ pathname, search, searchParams, hash }: URL): boolean {
  if (hash !== '' || [pathname, ...searchParams.keys()].some((text) => text.includes('@'))) return true
  return pathname.length <= 1 && search.includes('@')
}
