import type { Database } from './sqlite.ts'

export type Value = string | number | Uint8Array | null

/** Prepares a statement that reads rows. @param read converts a row; without it, the caller answers for its type */
export function query<Row>(database: Database, sql: string, read = (row: object): Row => row as Row) {
  const statement = database.prepare(sql)
  return {
    get: (...values: Value[]): Row | undefined => {
      const row = statement.get(...values) as object | undefined
      return row && read(row)
    },
    all: (...values: Value[]): Row[] => (statement.all(...values) as object[]).map((row) => read(row)),
  }
}

/** Prepares a statement that changes rows. @returns a function that returns their number */
export function command(database: Database, sql: string): (...values: Value[]) => number {
  const statement = database.prepare(sql)
  return (...values) => Number(statement.run(...values).changes)
}

/** How fields are stored that no column can hold as they are. */
const FORMATS = {
  // JSON escapes what a text column cannot store: NUL, and half of a surrogate pair.
  json: { write: JSON.stringify, read: (stored: unknown): unknown => JSON.parse(String(stored)) },
  flag: { write: Number, read: (stored: unknown) => stored === 1 },
  words: {
    write: (words: unknown) => (words as string[]).join(' '),
    read: (stored: unknown) => String(stored).split(' ').filter(Boolean),
  },
} as const satisfies Record<string, { write(value: unknown): Value; read(stored: unknown): unknown }>

/** Columns that only the queries use. */
const INTERNAL = new Set(['seq', 'recipient', 'hash'])

/**
 * Converts the records of a table to rows and back: the field `createdAt` is stored in the column created_at.
 * @param formats those of fields that are not stored as they are; null is always stored as it is
 */
export function records<Entity extends object>(
  formats: { readonly [Field in keyof Entity]?: keyof typeof FORMATS } = {},
) {
  const fields = new Map<string, string>()
  const formatOf = (field: string) => FORMATS[formats[field as keyof Entity] as keyof typeof FORMATS]

  function fieldOf(column: string): string {
    const known = fields.get(column)
    if (known !== undefined) return known
    const field = column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    fields.set(column, field)
    return field
  }

  function valueOf(field: string, value: unknown): Value {
    const format = formatOf(field)
    return value === null || format === undefined ? (value as Value) : format.write(value)
  }

  return {
    of: (row: object): Entity => {
      const record: Record<string, unknown> = {}
      for (const [column, stored] of Object.entries(row)) {
        if (INTERNAL.has(column)) continue
        const field = fieldOf(column)
        const format = formatOf(field)
        record[field] = stored === null || format === undefined ? stored : format.read(stored)
      }
      return record as Entity
    },
    /** The values of some fields of a record, in their order. */
    values: (record: Entity, names: readonly (keyof Entity & string)[]): Value[] =>
      names.map((name) => valueOf(name, record[name])),
    /** Returns a function that inserts a record. Columns that it does not have get their defaults. */
    insertion: (database: Database, table: string) => {
      const inserts = new Map<string, (...values: Value[]) => number>()
      return (record: object): void => {
        const names = Object.keys(record)
        const key = names.join()
        const places = names.map(() => '?').join(', ')
        const insert =
          inserts.get(key) ??
          command(database, `INSERT INTO ${table} (${names.map(columnOf).join(', ')}) VALUES (${places})`)
        inserts.set(key, insert)
        insert(...Object.entries(record).map(([name, value]) => valueOf(name, value)))
      }
    },
  }
}

export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
