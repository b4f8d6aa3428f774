import type { Pool } from 'pg'
import { inOneLine } from '../../errors.ts'
import { InboxError } from '../../inbox.ts'

export const READ_ONLY = 'it takes no writes: it is a standby, or read-only. Give the URL of the primary.'

/** What Postgres and its driver report, by code, in the words of the person who has to mend it. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name is not known. Correct the host in the URL.',
  EAI_AGAIN: 'its host name can not be looked up just now. Check the host in the URL, and the name server.',
  ECONNREFUSED: 'nothing answers there. Start Postgres, or correct the host and the port in the URL.',
  ECONNRESET: 'the connection broke. Postgres may be restarting; look into its log.',
  ETIMEDOUT: 'no answer came in time. Check the host in the URL, and the firewall.',
  EHOSTUNREACH: 'no way leads there. Check the host in the URL, and the network.',
  ENETUNREACH: 'no way leads there. Check the host in the URL, and the network.',
  CERT_HAS_EXPIRED: 'its certificate has expired. Renew it.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host. Give the host in the URL as the certificate has it.',
  '08006': 'the connection broke. Postgres may be restarting; look into its log.',
  '22021': 'it can not hold this text. Make the database anew with the encoding UTF8.',
  '25006': READ_ONLY,
  '28000': 'it does not let this user in. Correct the user in the URL, or pg_hba.conf.',
  '28P01': 'the password is wrong. Correct the user and the password in the URL.',
  '3D000': 'there is no such database. Make it with createdb, or correct the name in the URL.',
  '42501':
    'the user lacks a privilege. GRANT CREATE ON DATABASE to it, or start once as the owner and grant it the tables.',
  '53100': 'its disk is full. Make room; deliveries are refused until then.',
  '53300': 'it has no connection to spare. Raise max_connections, or give each receiver a smaller pool.',
  '57P01': 'it was stopped. Start it again.',
  '57P02': 'it crashed. Look into its log.',
  '57P03': 'it is just starting or stopping. Try again in a moment.',
}

/** What the driver says without a code. */
const WORDED: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, 'no answer came in time. Check the host in the URL, and how busy Postgres is.'],
  [/terminated/i, 'the connection broke. Postgres may be restarting; look into its log.'],
  [/password must be|no password/i, 'it asks for a password. Give one in the URL.'],
  [
    /does not support SSL/i,
    'it does not speak TLS. Turn TLS on in Postgres (ssl = on); leave sslmode out of the URL only on a network that you trust.',
  ],
  [
    /certificate|self.signed/i,
    'its certificate is not trusted. Give sslrootcert in the URL: the path of the certificate of its authority.',
  ],
]

/** How a database is called in messages: host, port and name, never the user or the password. */
export function nameOf({ options }: Pool): string {
  const { connectionString } = options
  const url =
    connectionString !== undefined && URL.canParse(connectionString) ? new URL(connectionString) : undefined
  const host = url?.hostname || url?.searchParams.get('host') || options.host || process.env['PGHOST']
  const port = url?.port || options.port || process.env['PGPORT'] || 5432
  const database = url?.pathname.slice(1) || options.database || process.env['PGDATABASE']
  const left = [!host && 'no host', !database && 'no database'].filter(Boolean).join(' and ')
  // What the driver tries then: this machine, and the database that is called as the user.
  return `postgres ${host || 'localhost'}:${port}${database ? `/${database}` : ''}${left && ` (${left} given)`}`
}

/** An error that names the database and the mend, in one line, of whatever was thrown. */
export function postgresError(error: unknown, name: string): InboxError {
  if (error instanceof InboxError) return error
  return new InboxError(`inbox ${name}: ${explain(error)}`, { cause: error })
}

/** The same of what was thrown while a connection was made, for which the pool had so many milliseconds. */
export function connectError(error: unknown, name: string, timeoutMs: number | undefined): InboxError {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const why =
    (/connection timeout|timeout expired/.test(message) &&
      `nothing answered within ${(timeoutMs ?? 0) / 1000} s. Check the host and the port in the URL, and the firewall.`) ||
    ((code === 'ECONNRESET' || /terminated unexpectedly/.test(message)) &&
      'what answers there ended the connection before any was made. Check that the host and the port in the URL are those of Postgres, and whether it is just starting.') ||
    (code === '28000' &&
      /no encryption|SSL off/i.test(message) &&
      'it lets this user in with TLS only, or not at all. Add sslmode=verify-full to the URL, or correct the user in it, or pg_hba.conf.')
  return why ? new InboxError(`inbox ${name}: ${why}`, { cause: error }) : postgresError(error, name)
}

function explain(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const worded = WORDED.find(([pattern]) => pattern.test(message))?.[1]
  return EXPLANATIONS[code] ?? worded ?? `${inOneLine(error)}. Nothing was changed; look into its log.`
}
