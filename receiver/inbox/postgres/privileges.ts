import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { InboxError } from '../../inbox.ts'
import { inOneLine } from '../../shared/errors.ts'
import type { Connection } from './connection.ts'
import { type MissingPrivilege, missingPrivilegesText } from './missing-privileges.ts'
import { QUEUE, type Schema } from './names.ts'

/** The table in which pg-boss keeps the jobs of this queue. */
const PARTITION = `j${createHash('sha224').update(QUEUE).digest('hex')}`

/**
 * The privileges that the statements of the inbox, the ledger and the queue need. Only pg-boss's maintenance uses its
 * other tables, and it does not run here.
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
  // Statements reach it only through the table above.
  [queue, PARTITION, ''],
]

/** The same for the statements that only read. */
const readNeedsOf = ({ ours, queue }: Schema): ReturnType<typeof needsOf> => [
  [ours, '', 'USAGE'],
  [queue, '', 'USAGE'],
  [ours, 'format', 'SELECT'],
  [ours, 'inbox', 'SELECT'],
  [queue, 'version', 'SELECT'],
  [queue, 'job', 'SELECT'],
]

/**
 * Every object that the inbox uses and that does not exist, and every privilege that the user lacks. One catalog query.
 * @param options `toRead`: only what reading needs
 */
export async function findMissingPrivileges(
  target: Pool | PoolClient,
  schema: Schema,
  { toRead = false } = {},
): Promise<MissingPrivilege[]> {
  const needs = (toRead ? readNeedsOf : needsOf)(schema).flatMap(([name, relation, privileges]) =>
    privileges.split(' ').map((privilege) => [name, relation, privilege] as const),
  )
  const { rows } = await target.query<MissingPrivilege>(
    `SELECT quote_ident(current_user) AS "user", need.schema, need.relation, need.privilege,
       n.oid IS NULL OR need.relation <> '' AND c.oid IS NULL AS absent, c.relkind = 'S' AS sequence
     FROM unnest($1::name[], $2::name[], $3::text[]) WITH ORDINALITY AS need (schema, relation, privilege, place)
     LEFT JOIN pg_catalog.pg_namespace n ON n.nspname = need.schema
     LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = need.relation
     WHERE CASE
       WHEN n.oid IS NULL THEN true
       WHEN need.relation = '' THEN NOT has_schema_privilege(n.oid, need.privilege)
       WHEN c.oid IS NULL THEN true
       WHEN need.privilege = '' THEN false
       -- Either privilege is enough for nextval.
       WHEN c.relkind = 'S' THEN NOT has_sequence_privilege(c.oid, 'USAGE, UPDATE')
       ELSE NOT has_table_privilege(c.oid, need.privilege)
     END
     ORDER BY need.place`,
    [0, 1, 2].map((at) => needs.map((need) => need[at])),
  )
  return rows
}

/** @throws InboxError that names what is missing and how to fix it, if anything is missing. */
export function requirePrivileges(missing: readonly MissingPrivilege[], schema: Schema, name: string): void {
  if (missing.length > 0) throw new InboxError(`inbox ${name}: ${missingPrivilegesText(missing, schema)}`)
}

/** Postgres error codes for a missing privilege, table, schema or queue partition. */
const CODES_OF_MISSING = ['42501', '42P01', '3F000', '23514']

/**
 * Makes a failure caused by a missing table or privilege name everything that is missing, where Postgres names only the
 * first. The work must have released its connection when it fails.
 */
export function explainingMissingPrivileges({ name, pool }: Connection, schema: Schema) {
  return async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      const { code = '' } = (error instanceof InboxError && (error.cause as { code?: string })) || {}
      if (!CODES_OF_MISSING.includes(code)) throw error
      requirePrivileges(await findMissingPrivileges(pool, schema).catch(() => []), schema, name)
      if (code !== '42501') throw error
      const reason = inOneLine((error as InboxError).cause)
      throw new InboxError(`inbox ${name}: ${reason}. GRANT it to the user.`, { cause: error })
    }
  }
}
