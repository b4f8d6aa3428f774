import { randomUUID } from 'node:crypto'
import { Client, Pool, type PoolConfig } from 'pg'
import { afterAll, inject, onTestFinished } from 'vitest'
import type { Finished } from '../../support/temporary.ts'

/** The URL of the Postgres server of this run. @throws Error with the reason if there is none. */
export function serverUrl(): string {
  const server = inject('postgres')
  if (server === undefined) throw new Error('only the tests of `npm run test:system` have Postgres')
  if ('missing' in server) throw new Error(server.missing)
  return server.url
}

/** The URL of a new, empty database, dropped when the test ends. */
export async function freshDatabase(
  options = 'TEMPLATE template0',
  finished: Finished = onTestFinished,
): Promise<string> {
  const name = `hookproof_${randomUUID().replaceAll('-', '')}`
  await asAdmin(`CREATE DATABASE ${name} ENCODING 'UTF8' ${options}`)
  finished(() => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return url.href
}

/** The name of a new schema for an inbox, dropped when the test ends. */
export function freshSchema(finished: Finished = onTestFinished): string {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  finished(() => asAdmin(`DROP SCHEMA IF EXISTS ${name} CASCADE`))
  return name
}

/** Runs a statement as the superuser. */
export async function asAdmin(statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A new pool, closed when the test ends. */
export function poolOf(url: string, options: PoolConfig = {}, finished: Finished = onTestFinished): Pool {
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 10_000, ...options })
  // pool.end() does not wait for its connections, so a server that stops right after it may still report to an idle one.
  pool.on('error', () => {})
  finished(() => pool.end())
  return pool
}

const schemas: string[] = []
const unusedSchemas: string[] = []

/**
 * The name of a schema for an inbox, without entries. The tests of one file reuse schemas, because creating the tables
 * takes longer than most tests. Tests may add the tables `notes` and `shipped`.
 */
export function emptySchema(finished: Finished = onTestFinished): string {
  const unused = unusedSchemas.pop()
  const schema = unused ?? `t_${randomUUID().replaceAll('-', '')}`
  if (unused === undefined) schemas.push(schema)
  finished(async () => {
    // If opening the inbox failed, there are no tables.
    await asAdmin(`DO $$ BEGIN
      IF to_regclass('${schema}.inbox') IS NOT NULL THEN
        TRUNCATE ${schema}.inbox, ${schema}.payment, ${schema}.ledger RESTART IDENTITY;
        DROP TABLE IF EXISTS ${schema}.notes, ${schema}.shipped;
      END IF;
    END $$`)
    unusedSchemas.push(schema)
  })
  return schema
}

afterAll(async () => {
  for (const schema of schemas) await asAdmin(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
})
