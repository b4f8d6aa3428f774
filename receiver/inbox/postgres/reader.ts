import type { Pool } from 'pg'
import { type InboxReader, NoInboxError } from '../../inbox.ts'
import { connectionOf } from './connection.ts'
import { schemaOf } from './names.ts'
import { uuidOf } from './numbers.ts'
import { findMissingPrivileges, requirePrivileges } from './privileges.ts'
import { requireKnownVersion } from './schema.ts'
import { prepareReads } from './statements.ts'

export interface PostgresReaderOptions {
  /** The connections; one is enough. The pool stays yours: `close` leaves it open. */
  pool: Pool
  /** The schema of the tables of the inbox. */
  schema?: string
}

/**
 * Reads the inbox in a Postgres database in read-only transactions, also on a standby. The user needs no more than USAGE on
 * the two schemas and SELECT on their tables.
 * @throws NoInboxError if the database does not hold an inbox; InboxError, as every method does, if it cannot be used or a
 * privilege is missing, which the message names; TypeError if the schema is not a plain name.
 */
export async function readPostgresInbox(options: PostgresReaderOptions): Promise<InboxReader> {
  const { pool, schema: schemaName = 'hookproof' } = options
  const schema = schemaOf(schemaName)
  const { name, orInboxError, readTransaction } = connectionOf(pool)
  const statements = prepareReads(schema)

  await readTransaction(async (client) => {
    const missing = await orInboxError(findMissingPrivileges(client, schema, { toRead: true }))
    if (
      missing.some(({ absent, schema: of, relation }) => absent && of === schema.ours && relation === 'inbox')
    ) {
      throw new NoInboxError(
        `inbox ${name}: the database does not hold an inbox. Use the URL that the receiver uses.`,
      )
    }
    requirePrivileges(missing, schema, name)
    await orInboxError(requireKnownVersion(client, schema, name))
  })

  return {
    async get(id) {
      const uuid = uuidOf(id)
      if (uuid === undefined) return undefined
      const [entry] = await readTransaction((client) => orInboxError(statements.entries(client, [uuid])))
      return entry
    },
    list: ({ state, limit = 100 }) =>
      readTransaction((client) => orInboxError(statements.list(client, state, limit))),
    depth: (now) => readTransaction((client) => orInboxError(statements.depth(client, now))),
    async close() {},
  }
}
