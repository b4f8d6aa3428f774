/** The schemas of the tables: one for ours, one for those of the queue. */
export interface Schema {
  readonly ours: string
  readonly queue: string
}

/** The name of the only queue. It is stored with each job, so it must not change. */
export const QUEUE = 'inbox'

/**
 * The names of the schemas. They become part of SQL statements, so only plain names are allowed.
 * @throws TypeError for any other name.
 */
export function schemaOf(name: string): Schema {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(name)) {
    throw new TypeError('schema: must be a plain name of at most 40 characters: a to z, 0 to 9, _.')
  }
  return { ours: name, queue: `${name}_queue` }
}
