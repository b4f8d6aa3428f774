import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { openPool, postgresInbox } from '@hookproof/receiver/postgres'
import { Client } from 'pg'
import { createGenerator, serialize } from '../../fixtures/index.ts'
import { startServer as startPostgres } from '../../test/support/postgres-server.ts'
import { cpuSecondsOf, processOf } from './pinned.ts'

const ROWS = 200_000
const FILLED = 'hookproof_bench_filled'
const COPY = 'hookproof_bench'

/** A Postgres server for the benchmarks, with an inbox of 200,000 events. */
export interface FilledPostgres {
  /** Replaces the last copy of that inbox with a new one. @returns its URL */
  copy(): Promise<string>
  /** Pins all its processes to these cores. */
  pin(cores: string): void
  /** The CPU time that all its processes have used, in seconds. */
  cpuSeconds(): number
  remove(): Promise<void>
}

/** @throws Error if Postgres cannot be started on this machine */
export async function filledPostgres(): Promise<FilledPostgres> {
  const server = await startPostgres()
  const admin = new Client({ connectionString: server.url })
  const urlOf = (database: string) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href
  try {
    await admin.connect()
    await admin.query(`CREATE DATABASE ${FILLED}`)
    await fill(urlOf(FILLED))
  } catch (error) {
    await admin.end()
    await server.remove()
    throw error
  }
  const { rows } = await admin.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const postmaster = processOf(rows[0]?.pid).parent

  return {
    async copy() {
      await admin.query(`DROP DATABASE IF EXISTS ${COPY} WITH (FORCE)`)
      await admin.query(`CREATE DATABASE ${COPY} TEMPLATE ${FILLED} STRATEGY file_copy`)
      return urlOf(COPY)
    },
    pin(cores) {
      for (const pid of [postmaster, ...childrenOf(postmaster)]) {
        execFileSync('taskset', ['-a', '-p', '-c', cores, String(pid)], { stdio: 'ignore' })
      }
    },
    cpuSeconds: () => childrenOf(postmaster).reduce((sum, pid) => sum + (cpuSecondsOf(pid) || 0), 0),
    async remove() {
      await admin.end()
      await server.remove()
    },
  }
}

async function fill(url: string): Promise<void> {
  const pool = openPool(url)
  const inbox = await postgresInbox({ pool })
  await inbox.close()
  // A new client, since the pool limits how long a statement may take.
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `INSERT INTO hookproof.inbox (key_hash, key, payment_id, event, body, signed_at, received_at, handled_in)
     SELECT sha256(convert_to(key, 'UTF8')), key, id, 'payment.completed', $1, 1750000000, 1750000000000, 1
     FROM (SELECT id, json_build_array(id, 'payment.completed')::text AS key
           FROM (SELECT 'tx_' || gen_random_uuid() AS id FROM generate_series(1, ${ROWS})))`,
    [serialize(createGenerator('filled').event('completed'))],
  )
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
  await client.end()
  await pool.end()
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => processOf(pid).parent === parent)
}
