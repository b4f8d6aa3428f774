import type { PoolClient } from 'pg'
import { InboxError } from '../../inbox.ts'
import type { Connection } from './connection.ts'
import { READ_ONLY } from './errors.ts'
import type { Schema } from './names.ts'
import { findLacks, requireNone } from './privileges.ts'

export { schemaOf } from './names.ts'

/** The format of pg-boss 10.4, whose tables this program reads. */
export const QUEUE_FORMAT = 24

/** The oldest Postgres that pg-boss runs on. */
const OLDEST_SERVER = 13

/**
 * Each entry makes the next version of the schema out of the one before it. During a deploy the program of the version
 * before still runs on the result, so a migration may add, and must not take away.
 */
const MIGRATIONS: readonly ((schema: string) => string)[] = [
  (schema) => `
  CREATE SEQUENCE ${schema}.entry_number;
  -- The id is the number in the shape of a UUID: the job of an entry has the same id, and pg-boss wants a UUID.
  -- An entry that was handled has no job any more, and the number of the attempt that did it.
  CREATE TABLE ${schema}.inbox (
    number      bigint  NOT NULL DEFAULT nextval('${schema}.entry_number'),
    id          uuid    PRIMARY KEY GENERATED ALWAYS AS (lpad(to_hex(number), 32, '0')::uuid) STORED,
    -- The SHA-256 of the key: an index can not hold a text of any length.
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
  -- One row for each payment and mode: whoever books an effect holds it until the end of the transaction.
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
  /** Of our tables; 0 if there are none. */
  readonly version: number
  readonly exists: boolean
}

/**
 * Makes our tables, or brings them up to date. Several receivers may do it at once: one does it, the others wait.
 * @throws InboxError if the database can not be used; it is then left as it was.
 */
export async function migrate({ name, told, transaction }: Connection, schema: Schema): Promise<void> {
  await transaction(async (client) => {
    await told(lockStart(client, schema.ours))
    await told(requireUsable(client, name))
    const lacks = await told(findLacks(client, schema))
    // Where there are tables of ours, even to look into them takes a privilege; where there are none, they are made.
    const absent = lacks.filter(({ gone, schema: where }) => gone && where === schema.ours)
    const made = !absent.some(({ relation }) => relation === 'format')
    if (made)
      requireNone(
        lacks.filter(({ gone }) => !gone),
        schema,
        name,
      )
    const { version, exists } = await told(lookUp(client, schema, name))
    if (version === OUR_FORMAT) return requireNone(absent, schema, name)
    // Asked for only where it is missing: it needs a privilege even where there is nothing to do.
    if (!exists) await told(client.query(`CREATE SCHEMA ${schema.ours}`))
    await told(client.query(`CREATE TABLE IF NOT EXISTS ${schema.ours}.format (version integer NOT NULL)`))
    for (const migration of MIGRATIONS.slice(version)) await told(client.query(migration(schema.ours)))
    const change = version === 0 ? 'INSERT INTO ? VALUES ($1)' : 'UPDATE ? SET version = $1'
    await told(client.query(change.replace('?', `${schema.ours}.format`), [OUR_FORMAT]))
  })
}

/** Lets one at a time go on that start on the same schema, until the end of the transaction. */
export async function lockStart(client: PoolClient, schema: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`hookproof ${schema}`])
  // To look at a table makes the connection hear of what others made while it waited.
  await client.query('SELECT FROM pg_catalog.pg_namespace LIMIT 1')
}

interface Server {
  server: number
  encoding: string
  commit: string
  read_only: string
}

async function requireUsable(client: PoolClient, name: string): Promise<void> {
  const { rows } = await client.query<Server>(
    `SELECT current_setting('server_version_num')::int / 10000 AS server,
            current_setting('server_encoding') AS encoding,
            current_setting('synchronous_commit') AS commit,
            current_setting('transaction_read_only') AS read_only`,
  )
  for (const { server, encoding, commit, read_only: readOnly } of rows) {
    const wrong =
      (server < OLDEST_SERVER && `it is Postgres ${server}. Use ${OLDEST_SERVER} or later.`) ||
      (readOnly === 'on' && READ_ONLY) ||
      (encoding !== 'UTF8' &&
        `its encoding is ${encoding}. Make the database anew with the encoding UTF8.`) ||
      (commit === 'off' &&
        'synchronous_commit is off: a crash would lose what was acknowledged. Set it to on.')
    if (wrong) throw new InboxError(`inbox ${name}: ${wrong}`)
  }
}

interface Present {
  schema: boolean
  ours: string | null
  queue: string | null
}

async function lookUp(client: PoolClient, { ours, queue }: Schema, name: string): Promise<Found> {
  const { rows } = await client.query<Present>(
    'SELECT to_regnamespace($1) IS NOT NULL AS schema, to_regclass($2) AS ours, to_regclass($3) AS queue',
    [ours, `${ours}.format`, `${queue}.version`],
  )
  const [present] = rows
  const version = await versionIn(client, present?.ours)
  const queueVersion = await versionIn(client, present?.queue)
  const newer =
    (version > OUR_FORMAT && `its format is ${version}, this program knows ${OUR_FORMAT}`) ||
    (queueVersion > QUEUE_FORMAT &&
      `its queue has format ${queueVersion}, this program knows ${QUEUE_FORMAT}`)
  if (newer) {
    const mend = 'Update the program, or choose another database.'
    throw new InboxError(`inbox ${name}: made by a newer version (${newer}). ${mend}`)
  }
  return { version, exists: present?.schema === true }
}

/** 0 where the table does not exist yet. */
async function versionIn(client: PoolClient, table: string | null | undefined): Promise<number> {
  if (!table) return 0
  const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${table}`)
  return rows[0]?.version ?? 0
}
