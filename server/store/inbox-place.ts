/** What the variable INBOX or the option --inbox names. */
export type InboxPlace = 'memory' | 'postgres' | 'sqlite' | 'malformed'

/** A path that cannot be taken for a URL. */
const EXPLICIT_PATH = /^(\.{0,2}\/(?!\/)|\.{1,2}\\|file:|[a-z]:[\\/])/i

/** Signs of the URL of a database, or of what its owner meant to be one. */
const SIGNS_OF_URL = [
  /^\W*(postgres(ql)?|pg|pgsql|psql|mysql|mariadb|mongodb|mssql|sqlserver|redis|jdbc|odbc)\s*([:;]|\/\/|\\\\)/i,
  // user:password@host
  /:.*@/s,
  /@.*:/s,
  /^\/\/.*@/s,
  /\bpassword\s*=/i,
]

/**
 * Distinguishes the URL of a Postgres database from the path of a SQLite file. A malformed URL is not taken for a path: it
 * would be shown in messages and become the name of a file, with its password. `./` in front of a path prevents that.
 */
export function placeOf(inbox: string): InboxPlace {
  if (inbox === 'memory') return 'memory'
  if (/^\s*postgres(ql)?:\/\//i.test(inbox)) return 'postgres'
  if (inbox.includes('://')) return 'malformed'
  if (EXPLICIT_PATH.test(inbox)) return 'sqlite'
  return SIGNS_OF_URL.some((sign) => sign.test(inbox)) ? 'malformed' : 'sqlite'
}
