import { randomUUID } from 'node:crypto'
import { Client, Pool, type PoolConfig } from 'pg'
import { inject, onTestFinished } from 'vitest'

/** The URL of the Postgres server of this run. @throws Error with the reason if there is none. */
export function serverUrl(): string {
  const server = inject('postgres')
  if ('missing' in server) throw new Error(server.missing)
  return server.url
}

/** The URL of a new, empty database, dropped when the test ends. */
export async function freshDatabase(options = ''): Promise<string> {
  const name = `hookproof_${randomUUID().replaceAll('-', '')}`
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' ${options}`)
  onTestFinished(() => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return url.href
}

/** The name of a new schema for an inbox, dropped when the test ends. */
export function freshSchema(): string {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  onTestFinished(() => asAdmin(`DROP SCHEMA IF EXISTS ${name}, ${name}_queue CASCADE`))
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
export function poolOf(url: string, options: PoolConfig = {}): Pool {
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 10_000, ...options })
  onTestFinished(() => pool.end())
  return pool
}
