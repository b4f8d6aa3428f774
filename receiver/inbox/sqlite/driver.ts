import { InboxError } from '../../inbox.ts'

/** A value that SQLite stores. */
type Value = null | number | bigint | string | Uint8Array

/** Values of the `?` of a statement, in order; those of named parameters are in one object, which comes first. */
type Parameters = (Value | Readonly<Record<string, Value>>)[]

/** A row. Its type follows from the statement, so the caller is responsible for it. */
// oxlint-disable-next-line typescript/no-explicit-any
type Row = any

/** A prepared statement: what hookproof uses of `StatementSync` of node:sqlite. */
interface Statement {
  run(...parameters: Parameters): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...parameters: Parameters): Row
  all(...parameters: Parameters): Row[]
  iterate(...parameters: Parameters): IterableIterator<Row>
}

/**
 * An open SQLite database: what hookproof uses of `DatabaseSync` of node:sqlite. Declared here, so that the types need
 * neither a Node.js version that has it nor the package that replaces it.
 */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

/** The module that opens databases. */
export interface Driver {
  DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => Database
}

/**
 * Loads the SQLite driver.
 * @throws InboxError if this Node.js version does not include one, and its replacement is not installed.
 */
export async function loadDriver(): Promise<Driver> {
  return builtInDriver() ?? (await replacement())
}

/** Bundlers do not look for the package, since only Node.js 20 needs it. */
async function replacement(): Promise<Driver> {
  try {
    return await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ '@photostructure/sqlite'
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new InboxError(
      `inbox: Node.js ${process.versions.node} does not include SQLite. Run npm install @photostructure/sqlite@1, or use Node.js 22.13 or later.`,
      { cause: error },
    )
  }
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
