import type { Pool } from 'pg'
import { type InboxReader, NoInboxError } from '../../inbox.ts'
import { type DepthRow, depthOf, entryOf, isId, type Row } from '../rows.ts'
import { type Connection, connectionOf } from './connection.ts'
import { findInbox, plainName } from './schema.ts'
import { statementsIn } from './statements.ts'

export interface PostgresReaderOptions {
  /** The connections; one is enough. The pool stays yours: `close` leaves it open. */
  pool: Pool
  /** The schema of the tables of the inbox. */
  schema?: string
}

/**
 * Reads the inbox in a Postgres database, also on a standby. The user needs no more than USAGE on the schema and SELECT on its
 * tables.
 * @throws NoInboxError if the database does not hold an inbox; InboxError, as every method does, if it cannot be used;
 * TypeError if the schema is not a plain name.
 */
export async function readPostgresInbox(options: PostgresReaderOptions): Promise<InboxReader> {
  const schema = plainName(options.schema ?? 'hookproof')
  const connection = connectionOf(options.pool)
  if ((await findInbox(connection, schema)) !== 'inbox') {
    throw new NoInboxError(
      `inbox ${connection.name}: the database does not hold an inbox. Use the URL that the receiver uses.`,
    )
  }
  return { ...readsOf(connection, schema), async close() {} }
}

/** The methods of an inbox that only read. */
export function readsOf({ query }: Connection, schema: string): Pick<InboxReader, 'get' | 'list' | 'depth'> {
  const statements = statementsIn(schema)
  return {
    async get(id) {
      const { rows } = isId(id) ? await query<Row>(statements.get, [id]) : { rows: [] }
      return rows.map(entryOf)[0]
    },
    async list({ state, limit = 100 }) {
      const { rows } = await query<Row>(statements.list, [state, limit])
      return rows.map(entryOf)
    },
    async depth(now) {
      const { rows } = await query<DepthRow>(statements.depth)
      return depthOf(rows, now)
    },
  }
}
