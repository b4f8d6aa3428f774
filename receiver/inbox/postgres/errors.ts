import type { Pool } from 'pg'
import { InboxError } from '../../inbox.ts'
import { inOneLine } from '../../shared/errors.ts'
import { FSYNC_OFF } from './durable.ts'
import { mayMisplacePassword } from './url.ts'

export const READ_ONLY = 'the server is read-only or a standby. Use the URL of the primary.'

/** Explanations of error codes of Postgres and its driver, for the person who has to fix the problem. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'unknown host name. Correct the host in the URL.',
  EAI_AGAIN: 'the host name lookup failed temporarily. Check the host in the URL and your DNS server.',
  ECONNREFUSED: 'connection refused. Start Postgres, or correct the host and the port in the URL.',
  ECONNRESET: 'the connection was lost. Postgres may be restarting; check its log.',
  ETIMEDOUT: 'the connection timed out. Check the host in the URL and the firewall.',
  EHOSTUNREACH: 'the host is unreachable. Check the host in the URL and the network.',
  ENETUNREACH: 'the host is unreachable. Check the host in the URL and the network.',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired. Renew it.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate of the server is for another host. Use the host name of the certificate in the URL.',
  '08006': 'the connection was lost. Postgres may be restarting; check its log.',
  '22021': 'the database cannot store this text. Create a database with the encoding UTF8.',
  '25006': READ_ONLY,
  '28000': 'the server rejects this user. Correct the user in the URL, or pg_hba.conf.',
  '28P01': 'wrong password. Correct the user and the password in the URL.',
  '3D000': 'the database does not exist. Create it with createdb, or correct the name in the URL.',
  '42501':
    'the user lacks a privilege. GRANT CREATE ON DATABASE to the user, or start the receiver once as the owner and grant the user its tables.',
  '53100': 'the disk of the server is full. Free some space; deliveries are refused until then.',
  '53300': 'the server has no free connection. Raise max_connections, or give each receiver a smaller pool.',
  '57014':
    'the statement was canceled, because it took too long. Check the locks (pg_locks) and the load on Postgres.',
  '57P01': 'the server was stopped. Start it again.',
  '57P02': 'the server crashed. Check its log.',
  '57P03': 'the server is starting or stopping. Try again in a moment.',
}

/** Explanations of driver errors that have no code. */
const EXPLANATIONS_BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(FSYNC_OFF),
    'fsync is off, so a power failure would lose acknowledged deliveries and could damage the database. Set it to on (ALTER SYSTEM SET fsync = on, then SELECT pg_reload_conf()).',
  ],
  [/timeout/i, 'the query timed out. Check the host in the URL and the load on Postgres.'],
  [/terminated/i, 'the connection was lost. Postgres may be restarting; check its log.'],
  [/password must be|no password/i, 'the server requires a password. Add it to the URL.'],
  [
    /does not support SSL/i,
    'the server does not support TLS. Turn on TLS in Postgres (ssl = on); omit sslmode from the URL only on a network that you trust.',
  ],
  [
    /certificate|self.signed/i,
    'the certificate of the server is not trusted. Add sslrootcert to the URL: the path of the CA certificate.',
  ],
]

/** The name of a database in messages: host, port and database, never the user or the password. */
export function nameOf({ options }: Pool): string {
  const { connectionString } = options
  const url =
    connectionString !== undefined && URL.canParse(connectionString) ? new URL(connectionString) : undefined
  if (url && mayMisplacePassword(url)) return 'postgres (with a URL that is not valid)'
  const host = url?.hostname || url?.searchParams.get('host') || options.host || process.env['PGHOST']
  const port = url?.port || options.port || process.env['PGPORT'] || 5432
  const database = url?.pathname.slice(1) || options.database || process.env['PGDATABASE']
  const omitted = [!host && 'no host', !database && 'no database'].filter(Boolean).join(' and ')
  // The driver then tries this machine and the database named like the user.
  return `postgres ${host || 'localhost'}:${port}${database ? `/${database}` : ''}${omitted && ` (${omitted} given)`}`
}

/** Converts anything that was thrown to an error that names the database and the fix, in one line. */
export function postgresError(error: unknown, name: string): InboxError {
  if (error instanceof InboxError) return error
  return new InboxError(`inbox ${name}: ${explain(error)}`, { cause: error })
}

/** The same for what was thrown while connecting. @param timeoutMs the connection timeout of the pool */
export function connectError(error: unknown, name: string, timeoutMs: number | undefined): InboxError {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const reason =
    (/connection timeout|timeout expired/.test(message) &&
      `no answer within ${(timeoutMs ?? 0) / 1000} s. Check the host and the port in the URL, and the firewall.`) ||
    ((code === 'ECONNRESET' || /terminated unexpectedly/.test(message)) &&
      'the server closed the connection during the handshake. Check that Postgres listens on the host and the port in the URL, and that it is not still starting.') ||
    (code === '28000' &&
      /no encryption|SSL off/i.test(message) &&
      'the server rejects this user without TLS. Add sslmode=verify-full to the URL, or correct the user in the URL or pg_hba.conf.')
  return reason ? new InboxError(`inbox ${name}: ${reason}`, { cause: error }) : postgresError(error, name)
}

function explain(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const byMessage = EXPLANATIONS_BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1]
  return (
    EXPLANATIONS[code] ?? byMessage ?? `${inOneLine(error)}. Nothing was changed; check the log of Postgres.`
  )
}
