import type { PoolClient } from 'pg'
import { InboxError } from '../../inbox.ts'
import type { Connection } from './connection.ts'

/** The number of the format of the tables. */
const FORMAT = 2

const tablesIn = (schema: string): string => `
  CREATE TABLE ${schema}.inbox (
    id          bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The SHA-256 of the key, because an index cannot hold text of any length.
    key_hash    bytea   NOT NULL UNIQUE,
    key         text    NOT NULL,
    payment_id  text    NOT NULL,
    event       text    NOT NULL,
    body        bytea   NOT NULL,
    signed_at   bigint  NOT NULL,
    received_at bigint  NOT NULL,
    state       text    NOT NULL DEFAULT 'pending',
    attempts    integer NOT NULL DEFAULT 0,
    due_at      bigint  NOT NULL DEFAULT 0,
    last_error  text,
    -- Which receiver made the last attempt, and when it started by the clock of the database.
    receiver    uuid,
    started_at  timestamptz
  );
  CREATE INDEX inbox_open ON ${schema}.inbox (state, due_at, id) WHERE state <> 'done';
  CREATE INDEX inbox_done ON ${schema}.inbox (received_at) WHERE state = 'done';
  -- One row per payment and mode. A transaction that records an effect locks it until the transaction ends.
  CREATE TABLE ${schema}.payment (
    payment_hash bytea   NOT NULL,
    livemode     boolean NOT NULL,
    effects      text[]  NOT NULL,
    PRIMARY KEY (payment_hash, livemode)
  );
  CREATE TABLE ${schema}.ledger (
    id           bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payment_hash bytea   NOT NULL,
    payment_id   text    NOT NULL,
    livemode     boolean NOT NULL,
    effect       text    NOT NULL,
    event        text    NOT NULL,
    amount       text    NOT NULL,
    currency     text    NOT NULL,
    UNIQUE (payment_hash, livemode, effect)
  );
  CREATE TABLE ${schema}.format (version integer NOT NULL);
  INSERT INTO ${schema}.format VALUES (${FORMAT});`

/**
 * The name of a schema, which becomes part of SQL statements.
 * @throws TypeError if it is not a plain name.
 */
export function plainName(schema: string): string {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new TypeError('schema: must be a plain name of at most 40 characters: a to z, 0 to 9, _.')
  }
  return schema
}

/**
 * Creates the tables if there are none. When several receivers start at once, one does the work and the others wait.
 * @throws InboxError if the database cannot be used; it is then left unchanged.
 */
export async function createTables(connection: Connection, schema: string): Promise<void> {
  const { query, transaction } = connection
  await transaction(async (client) => {
    await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`hookproof ${schema}`], client)
    await requireUtf8(connection, client)
    const found = await findInbox(connection, schema, client)
    if (found === 'inbox') return
    // Only if it is missing: CREATE SCHEMA IF NOT EXISTS needs the privilege even when there is nothing to do.
    if (found === 'nothing') await query(`CREATE SCHEMA ${schema}`, [], client)
    await query(tablesIn(schema), [], client)
  })
}

async function requireUtf8({ name, query }: Connection, client: PoolClient): Promise<void> {
  const { rows } = await query<{ server_encoding: string }>('SHOW server_encoding', [], client)
  const encoding = rows[0]?.server_encoding
  if (encoding === 'UTF8') return
  throw new InboxError(
    `inbox ${name}: the encoding of the database is ${encoding}. Create a database with the encoding UTF8.`,
  )
}

/**
 * What the database has under the name of a schema.
 * @throws InboxError if it is an inbox of another format.
 */
export async function findInbox(
  { name, query }: Connection,
  schema: string,
  client?: PoolClient,
): Promise<'nothing' | 'schema' | 'inbox'> {
  const { rows } = await query<{ has_inbox: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relnamespace = n.oid AND relname = 'format') AS has_inbox
     FROM pg_catalog.pg_namespace n WHERE nspname = $1`,
    [schema],
    client,
  )
  const [found] = rows
  if (!found?.has_inbox) return found === undefined ? 'nothing' : 'schema'
  const { rows: formats } = await query<{ version: number }>(
    `SELECT version FROM ${schema}.format`,
    [],
    client,
  )
  const version = formats[0]?.version
  if (version === FORMAT) return 'inbox'
  throw new InboxError(
    `inbox ${name}: created by another version (its format is ${version}, this version supports ${FORMAT}). Use that version of the program, or choose another database.`,
  )
}
