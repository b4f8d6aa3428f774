import type { Database } from './sqlite.ts'

export type Value = string | number | Uint8Array | null

/** The statements of a database, each prepared once, at its first use. The caller answers for the types of rows. */
export function statements(database: Database) {
  const prepared = new Map<string, ReturnType<Database['prepare']>>()

  function prepare(sql: string) {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  return {
    all: <Row>(sql: string, ...values: Value[]): Row[] => prepare(sql).all(...values) as Row[],
    /** @returns the number of changed rows */
    run: (sql: string, ...values: Value[]): number => Number(prepare(sql).run(...values).changes),
  }
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
 * The records of a table: the field `createdAt` is stored in the column created_at. `Defaults` are the fields that a new
 * record does not have.
 * @param formats those of fields that are not stored as they are; null is always stored as it is
 */
export function tableOf<Entity extends object, Defaults extends keyof Entity = never>(
  database: Database,
  table: string,
  formats: { readonly [Field in keyof Entity]?: keyof typeof FORMATS } = {},
) {
  const { all, run } = statements(database)
  const fields = new Map<string, string>()
  const formatOf = (field: string) => FORMATS[formats[field as keyof Entity] as keyof typeof FORMATS]

  function fieldOf(column: string): string {
    const known = fields.get(column)
    if (known !== undefined) return known
    const field = column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    fields.set(column, field)
    return field
  }

  function read(row: object): Entity {
    const record: Record<string, unknown> = {}
    for (const [column, stored] of Object.entries(row)) {
      if (INTERNAL.has(column)) continue
      const field = fieldOf(column)
      const format = formatOf(field)
      record[field] = stored === null || format === undefined ? stored : format.read(stored)
    }
    return record as Entity
  }

  const valuesOf = (record: object): Value[] =>
    Object.entries(record).map(([field, value]) => {
      const format = formatOf(field)
      return value === null || format === undefined ? (value as Value) : format.write(value)
    })

  return {
    read,
    /** The first record. @param rest the query after the name of the table */
    one: (rest: string, ...values: Value[]): Entity | undefined => {
      const row = all<object>(`SELECT * FROM ${table} ${rest}`, ...values)[0]
      return row && read(row)
    },
    all: (rest: string, ...values: Value[]): Entity[] =>
      all<object>(`SELECT * FROM ${table} ${rest}`, ...values).map(read),
    /** Inserts a record. Columns that it does not have get their defaults. */
    insert: (record: Omit<Entity, Defaults>): void => {
      const names = Object.keys(record)
      const places = names.map(() => '?').join(', ')
      run(`INSERT INTO ${table} (${names.map(columnOf).join(', ')}) VALUES (${places})`, ...valuesOf(record))
    },
    /** Changes some fields. @returns the number of changed records */
    update: (changes: Partial<Entity>, where: string, ...values: Value[]): number => {
      const settings = Object.keys(changes).map((field) => `${columnOf(field)} = ?`)
      return run(`UPDATE ${table} SET ${settings.join(', ')} WHERE ${where}`, ...valuesOf(changes), ...values)
    },
  }
}

const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
