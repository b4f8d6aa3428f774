import type * as Sqlite from '@photostructure/sqlite'

/** An open SQLite database: `DatabaseSync` of node:sqlite, or of its substitute for Node.js versions without it. */
export type Database = Sqlite.DatabaseSyncInstance

/** The module that opens databases. */
export type Driver = typeof Sqlite

/** Loads the SQLite driver. */
export async function loadDriver(): Promise<Driver> {
  return builtInDriver() ?? (await import('@photostructure/sqlite'))
}

/** Whether the driver is part of Node.js. */
export const hasBuiltInDriver = (): boolean => builtInDriver() !== undefined

/** node:sqlite if this Node.js version has it, without its experimental warning, which an operator cannot act on. */
function builtInDriver(): Driver | undefined {
  const emitWarning = process.emitWarning.bind(process)
  try {
    process.emitWarning = () => {}
    return process.getBuiltinModule('node:sqlite') as Driver | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The file of an open database as SQLite resolved it: an absolute path without symbolic links. */
export const realPath = (database: Database): string => database.prepare('PRAGMA database_list').get().file
