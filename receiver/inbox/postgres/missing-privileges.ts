import type { Schema } from './names.ts'

/** A privilege that the user does not have, or an object that does not exist. */
export interface MissingPrivilege {
  /** Quoted as an identifier, ready for a statement. */
  readonly user: string
  readonly schema: string
  /** A table or a sequence; empty for the schema itself. */
  readonly relation: string
  /** Empty when the object only has to exist. */
  readonly privilege: string
  /** The object itself does not exist. */
  readonly absent: boolean
  readonly sequence: boolean | null
}

/** How many objects a message names; it counts the rest. */
const NAMED = 2

/** What is missing and how to fix it, in one line. */
export function missingPrivilegesText(missing: readonly MissingPrivilege[], schema: Schema): string {
  const absent = new Set(missing.filter((item) => item.absent).map(objectOf))
  if (absent.size > 0) return missingObjectsText([...absent], schema)
  const byObject = new Map<string, MissingPrivilege[]>()
  for (const item of missing) byObject.set(objectOf(item), [...(byObject.get(objectOf(item)) ?? []), item])
  const what = [...byObject].map(([object, of]) => `${privilegesOf(of)} on ${object}`)
  return `the user ${missing[0]?.user} lacks ${listed(what)}. Ask the owner to run: ${grants(missing)}`
}

/** What to do about missing objects that the inbox cannot work without. */
export function missingObjectsText(objects: readonly string[], { ours, queue }: Schema): string {
  const [does, it] = objects.length === 1 ? ['does', 'it'] : ['do', 'them']
  return `${listed(objects)} ${does} not exist. Restore ${it} from a backup, or drop the schemas ${ours} and ${queue} with all their data and start again.`
}

const objectOf = ({ schema, relation }: MissingPrivilege): string =>
  relation ? `${schema}.${relation}` : `the schema ${schema}`

const privilegesOf = (missing: readonly MissingPrivilege[]): string =>
  missing.map(({ privilege }) => privilege).join(', ')

function listed(objects: readonly string[]): string {
  const more = objects.length - NAMED
  return objects.slice(0, NAMED).join(more > 0 ? ', ' : ' and ') + (more > 0 ? ` and ${more} more` : '')
}

/** The GRANT statements: for one table, on that table; for several, on all tables of their schemas. */
function grants(missing: readonly MissingPrivilege[]): string {
  const schemas = missing.filter(({ relation }) => relation === '')
  const sequences = missing.filter(({ sequence }) => sequence)
  const tables = missing.filter(({ relation, sequence }) => relation !== '' && !sequence)
  const [first] = tables
  const all = tables.every(({ privilege }) => privilege === 'SELECT')
    ? 'SELECT'
    : 'SELECT, INSERT, UPDATE, DELETE'
  const oneTable = first !== undefined && tables.every((item) => objectOf(item) === objectOf(first))
  const what = [
    schemas.length > 0 && `USAGE ON SCHEMA ${namesOf(schemas)}`,
    first !== undefined &&
      (oneTable
        ? `${privilegesOf(tables)} ON ${objectOf(first)}`
        : `${all} ON ALL TABLES IN SCHEMA ${namesOf(tables)}`),
    sequences.length > 0 && `USAGE ON ALL SEQUENCES IN SCHEMA ${namesOf(sequences)}`,
  ]
  return what.flatMap((grant) => (grant ? [`GRANT ${grant} TO ${missing[0]?.user};`] : [])).join(' ')
}

const namesOf = (missing: readonly MissingPrivilege[]): string =>
  [...new Set(missing.map(({ schema }) => schema))].join(', ')
