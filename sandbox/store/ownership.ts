import type { Database } from './sqlite.ts'

/** What SQLite keeps in the header of a file for programs to know their own by: `hpsb`, as four letters of ASCII. */
export const APPLICATION_ID = 0x68_70_73_62

/** Tables of the first version, which every later one has too. */
const FIRST_TABLES = ['settings', 'organisations', 'api_keys', 'payments', 'deliveries', 'api_log']

/**
 * Whose file an open database is. The first versions left no mark: their files are known by the tables.
 * @param version its user_version
 * @returns empty: nobody's yet; marked: the sandbox's; unmarked: one of its older versions'
 */
export function ownership(database: Database, version: number): 'empty' | 'marked' | 'unmarked' | 'foreign' {
  const id: number = database.prepare('PRAGMA application_id').get().application_id
  if (id === APPLICATION_ID) return 'marked'
  if (id !== 0) return 'foreign'
  const rows = database.prepare('SELECT name FROM sqlite_schema').all() as { name: string }[]
  const names = new Set(rows.map(({ name }) => name))
  if (version === 0) return names.size === 0 ? 'empty' : 'foreign'
  return FIRST_TABLES.every((table) => names.has(table)) ? 'unmarked' : 'foreign'
}
