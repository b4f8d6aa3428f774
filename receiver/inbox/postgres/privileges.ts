import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { inOneLine } from '../../errors.ts'
import { InboxError } from '../../inbox.ts'
import type { Connection } from './connection.ts'
import { type Lack, lacksText } from './missing-privileges.ts'
import { QUEUE, type Schema } from './names.ts'

/** pg-boss keeps the jobs of each queue in a table of that name. */
const PARTITION = `j${createHash('sha224').update(QUEUE).digest('hex')}`

/**
 * What the statements of the inbox, the ledger and the queue touch, and how. Of pg-boss's other tables only its upkeep
 * makes use, which has nothing to do here.
 */
const needsOf = ({
  ours,
  queue,
}: Schema): readonly [schema: string, relation: string, privileges: string][] => [
  [ours, '', 'USAGE'],
  [queue, '', 'USAGE'],
  [ours, 'format', 'SELECT UPDATE'],
  [ours, 'inbox', 'SELECT INSERT UPDATE DELETE'],
  [ours, 'payment', 'SELECT INSERT UPDATE'],
  [ours, 'ledger', 'SELECT INSERT'],
  [ours, 'entry_number', 'USAGE'],
  [queue, 'version', 'SELECT UPDATE'],
  [queue, 'queue', 'SELECT'],
  [queue, 'job', 'SELECT INSERT UPDATE DELETE'],
  // It is only reached by way of the table above.
  [queue, PARTITION, ''],
]

/** Everything that the inbox uses and that is not there, or that the user may not do. One statement on the catalogue. */
export async function findLacks(target: Pool | PoolClient, schema: Schema): Promise<Lack[]> {
  const needs = needsOf(schema).flatMap(([name, relation, privileges]) =>
    privileges.split(' ').map((privilege) => [name, relation, privilege] as const),
  )
  const { rows } = await target.query<Lack>(
    `SELECT quote_ident(current_user) AS "user", need.schema, need.relation, need.privilege,
       n.oid IS NULL OR need.relation <> '' AND c.oid IS NULL AS gone, c.relkind = 'S' AS sequence
     FROM unnest($1::name[], $2::name[], $3::text[]) WITH ORDINALITY AS need (schema, relation, privilege, place)
     LEFT JOIN pg_catalog.pg_namespace n ON n.nspname = need.schema
     LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = need.relation
     WHERE CASE
       WHEN n.oid IS NULL THEN true
       WHEN need.relation = '' THEN NOT has_schema_privilege(n.oid, need.privilege)
       WHEN c.oid IS NULL THEN true
       WHEN need.privilege = '' THEN false
       -- Either is enough for the next number.
       WHEN c.relkind = 'S' THEN NOT has_sequence_privilege(c.oid, 'USAGE, UPDATE')
       ELSE NOT has_table_privilege(c.oid, need.privilege)
     END
     ORDER BY need.place`,
    [0, 1, 2].map((at) => needs.map((need) => need[at])),
  )
  return rows
}

/** @throws InboxError that names what is missing, and what mends it, if anything is. */
export function requireNone(lacks: readonly Lack[], schema: Schema, name: string): void {
  if (lacks.length > 0) throw new InboxError(`inbox ${name}: ${lacksText(lacks, schema)}`)
}

/** A privilege, a table, a schema, and a table for the jobs of a queue, that are missing. */
const OF_LACKS = ['42501', '42P01', '3F000', '23514']

/**
 * Has a failure for want of a table or a privilege name what is missing, in place of what Postgres says of the first
 * that it came upon. The work must hold no connection any more when it fails.
 */
export function namingLacks({ name, pool }: Connection, schema: Schema) {
  return async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      const { code = '' } = (error instanceof InboxError && (error.cause as { code?: string })) || {}
      if (!OF_LACKS.includes(code)) throw error
      requireNone(await findLacks(pool, schema).catch(() => []), schema, name)
      if (code !== '42501') throw error
      const said = inOneLine((error as InboxError).cause)
      throw new InboxError(`inbox ${name}: ${said}. GRANT it to the user.`, { cause: error })
    }
  }
}
