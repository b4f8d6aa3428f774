import type { PoolClient } from 'pg'
import { InboxError } from '../../inbox.ts'
import type { Connection } from './connection.ts'
import { READ_ONLY } from './errors.ts'
import type { Schema } from './names.ts'
import { findMissingPrivileges, requirePrivileges } from './privileges.ts'

export { schemaOf } from './names.ts'

/** The schema version of pg-boss 10.4, whose tables this program reads. */
export const QUEUE_FORMAT = 24

/** The oldest Postgres that pg-boss runs on. */
const MIN_SERVER_VERSION = 13

/**
 * Each entry migrates the schema to the next version. During a deploy the previous version of the program still runs on
 * the new schema, so a migration may add but must not remove anything.
 */
const MIGRATIONS: readonly ((schema: string) => string)[] = [
  (schema) => `
  CREATE SEQUENCE ${schema}.entry_number;
  -- The id is the number in the shape of a UUID: the job of an entry has the same id, and pg-boss wants a UUID.
  -- A handled entry has no job; handled_in is the number of the attempt that handled it.
  CREATE TABLE ${schema}.inbox (
    number      bigint  NOT NULL DEFAULT nextval('${schema}.entry_number'),
    id          uuid    PRIMARY KEY GENERATED ALWAYS AS (lpad(to_hex(number), 32, '0')::uuid) STORED,
    -- The SHA-256 of the key, because an index cannot hold text of any length.
    key_hash    bytea   NOT NULL UNIQUE,
    key         text    NOT NULL,
    payment_id  text    NOT NULL,
    event       text    NOT NULL,
    body        bytea   NOT NULL,
    signed_at   bigint  NOT NULL,
    received_at bigint  NOT NULL,
    handled_in  integer
  );
  CREATE INDEX inbox_received ON ${schema}.inbox (received_at);
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
  `,
]

const OUR_FORMAT = MIGRATIONS.length

interface Found {
  /** The version of our tables; 0 if there are none. */
  readonly version: number
  readonly exists: boolean
}

/**
 * Creates our tables, or migrates them. When several receivers start at once, one does the work and the others wait.
 * @throws InboxError if the database cannot be used; it is then left unchanged.
 */
export async function migrate(
  { name, orInboxError, transaction }: Connection,
  schema: Schema,
): Promise<void> {
  await transaction(async (client) => {
    await orInboxError(lockStart(client, schema.ours))
    await orInboxError(requireUsable(client, name))
    const missing = await orInboxError(findMissingPrivileges(client, schema))
    // Even reading existing tables takes a privilege; tables that do not exist are created below.
    const absentTables = missing.filter((item) => item.absent && item.schema === schema.ours)
    const initialized = !absentTables.some(({ relation }) => relation === 'format')
    if (initialized)
      requirePrivileges(
        missing.filter(({ absent }) => !absent),
        schema,
        name,
      )
    const { version, exists } = await orInboxError(readVersions(client, schema, name))
    if (version === OUR_FORMAT) return requirePrivileges(absentTables, schema, name)
    // Only if it is missing: CREATE SCHEMA IF NOT EXISTS needs the privilege even when there is nothing to do.
    if (!exists) await orInboxError(client.query(`CREATE SCHEMA ${schema.ours}`))
    await orInboxError(
      client.query(`CREATE TABLE IF NOT EXISTS ${schema.ours}.format (version integer NOT NULL)`),
    )
    for (const migration of MIGRATIONS.slice(version))
      await orInboxError(client.query(migration(schema.ours)))
    const change = version === 0 ? 'INSERT INTO ? VALUES ($1)' : 'UPDATE ? SET version = $1'
    await orInboxError(client.query(change.replace('?', `${schema.ours}.format`), [OUR_FORMAT]))
  })
}

/** Serializes receivers that start on the same schema, until the end of the transaction. */
export async function lockStart(client: PoolClient, schema: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`hookproof ${schema}`])
  // Reading a table makes this connection process the catalog changes that others made while it waited.
  await client.query('SELECT FROM pg_catalog.pg_namespace LIMIT 1')
}

interface Server {
  server: number
  encoding: string
  read_only: string
}

async function requireUsable(client: PoolClient, name: string): Promise<void> {
  const { rows } = await client.query<Server>(
    `SELECT current_setting('server_version_num')::int / 10000 AS server,
            current_setting('server_encoding') AS encoding,
            current_setting('transaction_read_only') AS read_only`,
  )
  for (const { server, encoding, read_only: readOnly } of rows) {
    const wrong =
      (server < MIN_SERVER_VERSION &&
        `the server is Postgres ${server}. Use version ${MIN_SERVER_VERSION} or later.`) ||
      (readOnly === 'on' && READ_ONLY) ||
      (encoding !== 'UTF8' &&
        `the encoding of the database is ${encoding}. Create a database with the encoding UTF8.`)
    if (wrong) throw new InboxError(`inbox ${name}: ${wrong}`)
  }
}

interface Present {
  schema: boolean
  ours: string | null
  queue: string | null
}

/**
 * The tables must not be those of a newer version.
 * @throws InboxError
 */
export async function requireKnownVersion(client: PoolClient, schema: Schema, name: string): Promise<void> {
  await readVersions(client, schema, name)
}

async function readVersions(client: PoolClient, { ours, queue }: Schema, name: string): Promise<Found> {
  const { rows } = await client.query<Present>(
    'SELECT to_regnamespace($1) IS NOT NULL AS schema, to_regclass($2) AS ours, to_regclass($3) AS queue',
    [ours, `${ours}.format`, `${queue}.version`],
  )
  const [present] = rows
  const version = await versionIn(client, present?.ours)
  const queueVersion = await versionIn(client, present?.queue)
  const newer =
    (version > OUR_FORMAT && `its format is ${version}, this version supports ${OUR_FORMAT}`) ||
    (queueVersion > QUEUE_FORMAT &&
      `its queue format is ${queueVersion}, this version supports ${QUEUE_FORMAT}`)
  if (newer) {
    const fix = 'Update the program, or choose another database.'
    throw new InboxError(`inbox ${name}: created by a newer version (${newer}). ${fix}`)
  }
  return { version, exists: present?.schema === true }
}

/** 0 if the table does not exist yet. */
async function versionIn(client: PoolClient, table: string | null | undefined): Promise<number> {
  if (!table) return 0
  const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${table}`)
  return rows[0]?.version ?? 0
}
