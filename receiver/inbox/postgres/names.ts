/** Where the tables stand: ours in one schema, those of the queue in another. */
export interface Schema {
  readonly ours: string
  readonly queue: string
}

/** The one queue; its name is part of what is stored. */
export const QUEUE = 'inbox'

/**
 * The names of the schemas. They become part of statements, so nothing but plain names is taken.
 * @throws TypeError for any other name.
 */
export function schemaOf(name: string): Schema {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(name)) {
    throw new TypeError('schema: must be a plain name of at most 40 characters: a to z, 0 to 9, _.')
  }
  return { ours: name, queue: `${name}_queue` }
}
