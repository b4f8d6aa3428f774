import type { Schema } from './names.ts'

/** A privilege that the user lacks, or something that is gone. */
export interface Lack {
  /** As it stands in a statement. */
  readonly user: string
  readonly schema: string
  /** A table or a sequence; empty for the schema itself. */
  readonly relation: string
  /** Empty where none is needed. */
  readonly privilege: string
  readonly gone: boolean
  readonly sequence: boolean | null
}

/** So many are named; of what is all of one kind, two tell as much as ten. */
const NAMED = 2

/** What is missing, and what mends it, in one line. */
export function lacksText(lacks: readonly Lack[], schema: Schema): string {
  const gone = new Set(lacks.filter((lack) => lack.gone).map(objectOf))
  if (gone.size > 0) return goneText([...gone], schema)
  const byObject = new Map<string, Lack[]>()
  for (const lack of lacks) byObject.set(objectOf(lack), [...(byObject.get(objectOf(lack)) ?? []), lack])
  const what = [...byObject].map(([object, of]) => `${privilegesOf(of)} on ${object}`)
  return `the user ${lacks[0]?.user} lacks ${listed(what)}. Let the owner run: ${grants(lacks)}`
}

/** What to do about things without which the tables are of no use. */
export function goneText(things: readonly string[], { ours, queue }: Schema): string {
  const [is, it] = things.length === 1 ? ['is', 'it'] : ['are', 'them']
  return `${listed(things)} ${is} not there. Restore ${it} from a backup; or drop the schemas ${ours} and ${queue}, with all they hold, and start anew.`
}

const objectOf = ({ schema, relation }: Lack): string =>
  relation ? `${schema}.${relation}` : `the schema ${schema}`

const privilegesOf = (lacks: readonly Lack[]): string => lacks.map(({ privilege }) => privilege).join(', ')

function listed(things: readonly string[]): string {
  const more = things.length - NAMED
  return things.slice(0, NAMED).join(more > 0 ? ', ' : ' and ') + (more > 0 ? ` and ${more} more` : '')
}

/** The statements that give what is missing: for one table that table, for several those of the schema. */
function grants(lacks: readonly Lack[]): string {
  const schemas = lacks.filter(({ relation }) => relation === '')
  const sequences = lacks.filter(({ sequence }) => sequence)
  const tables = lacks.filter(({ relation, sequence }) => relation !== '' && !sequence)
  const [first] = tables
  const oneTable = first !== undefined && tables.every((lack) => objectOf(lack) === objectOf(first))
  const what = [
    schemas.length > 0 && `USAGE ON SCHEMA ${namesOf(schemas)}`,
    first !== undefined &&
      (oneTable
        ? `${privilegesOf(tables)} ON ${objectOf(first)}`
        : `SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${namesOf(tables)}`),
    sequences.length > 0 && `USAGE ON ALL SEQUENCES IN SCHEMA ${namesOf(sequences)}`,
  ]
  return what.flatMap((grant) => (grant ? [`GRANT ${grant} TO ${lacks[0]?.user};`] : [])).join(' ')
}

const namesOf = (lacks: readonly Lack[]): string => [...new Set(lacks.map(({ schema }) => schema))].join(', ')
