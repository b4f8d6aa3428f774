import type { Database } from './sqlite.ts'

/** Marks the sandbox's files in SQLite's file header: the ASCII letters `hpsb`. */
export const APPLICATION_ID = 0x68_70_73_62

/** Tables of all formats; the first of each entry is the current name. */
const TABLE_NAMES = [
  ['settings'],
  ['organizations', 'organisations'],
  ['api_keys'],
  ['payments'],
  ['deliveries'],
  ['api_log'],
]

/**
 * Finds out whether an open database is the sandbox's. The first formats have no mark; their tables identify them.
 * @param version its user_version
 * @returns empty: a new file; marked: a sandbox file; unmarked: a sandbox file of an old format
 */
export function ownership(database: Database, version: number): 'empty' | 'marked' | 'unmarked' | 'foreign' {
  const { application_id: id } = database.prepare('PRAGMA application_id').get() as { application_id: number }
  if (id === APPLICATION_ID) return 'marked'
  if (id !== 0) return 'foreign'
  const rows = database.prepare('SELECT name FROM sqlite_schema').all() as { name: string }[]
  const names = new Set(rows.map(({ name }) => name))
  if (version === 0) return names.size === 0 ? 'empty' : 'foreign'
  const hasAll = TABLE_NAMES.every((known) => known.some((name) => names.has(name)))
  return hasAll ? 'unmarked' : 'foreign'
}
