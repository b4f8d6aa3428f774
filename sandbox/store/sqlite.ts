type Value = null | number | bigint | string | Uint8Array

interface Statement {
  run(...values: Value[]): { changes: number | bigint }
  get(...values: Value[]): unknown
  all(...values: Value[]): unknown[]
}

/**
 * An open SQLite database: what the sandbox uses of `DatabaseSync` of node:sqlite. Declared here, so that the types need
 * neither a Node.js version that has it nor the package that replaces it.
 */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

export interface Driver {
  DatabaseSync: new (path: string) => Database
}

/**
 * Loads node:sqlite, or its replacement where Node.js does not have it.
 * @throws Error with the code `ERR_MODULE_NOT_FOUND` if the replacement is not installed
 */
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
