import type { Database } from './sqlite.ts'

/** A prepared statement that reads rows of a known shape. */
export interface Query<Row> {
  get: (...values: Value[]) => Row | undefined
  all: (...values: Value[]) => Row[]
}

/** A prepared statement that changes rows; it returns their number. */
export type Command = (...values: Value[]) => number

export type Value = string | number | Uint8Array | null

/** Prepares a statement that reads. The caller is responsible for the type of its rows. */
export function query<Row>(database: Database, sql: string): Query<Row> {
  const statement = database.prepare(sql)
  return {
    get: (...values) => statement.get(...values) as Row | undefined,
    all: (...values) => statement.all(...values) as Row[],
  }
}

/** Prepares a statement that writes. */
export function command(database: Database, sql: string): Command {
  const statement = database.prepare(sql)
  return (...values) => Number(statement.run(...values).changes)
}

/**
 * Prepares the deletion of some rows of a table: the last ones by their key, since a row may refer to an earlier one.
 * @returns a function that returns how many rows it deleted
 */
export function deletion(database: Database, table: string, key: string): (limit: number) => number {
  const remove = command(
    database,
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} ORDER BY ${key} DESC LIMIT ?)`,
  )
  return (limit) => remove(limit)
}
