import type * as Sqlite from '@photostructure/sqlite'

/** An open SQLite database: `DatabaseSync` of node:sqlite, or of its replacement for Node.js versions without it. */
export type Database = Sqlite.DatabaseSyncInstance

type Driver = typeof Sqlite

/** Loads node:sqlite, or its replacement where Node.js does not have it. */
export async function sqliteDriver(): Promise<Driver> {
  return builtIn() ?? (await import('@photostructure/sqlite'))
}

/** node:sqlite without its "experimental" warning, which users can do nothing about. */
function builtIn(): Driver | undefined {
  const emitWarning = process.emitWarning.bind(process)
  try {
    process.emitWarning = () => {}
    return process.getBuiltinModule('node:sqlite') as Driver | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
