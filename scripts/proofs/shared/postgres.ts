import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { startServer } from '../../../test/support/postgres-server.ts'
import type { LedgerEntry, Store, StoredEvent } from './audit.ts'

const PROCESSED_WITHIN_MS = 90_000
const STATE = `CASE WHEN state IN ('pending', 'processing') THEN 'open' ELSE state END`

/**
 * Starts a Postgres server for one proof, which can be stopped and started again.
 * @throws Error if Postgres cannot be started on this machine
 */
export async function startPostgres() {
  const server = await startServer()
  const { url } = server

  async function query<T>(statement: string): Promise<T[]> {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      const { rows } = await client.query(statement)
      return rows
    } finally {
      await client.end()
    }
  }

  const [setting] = await query<{ data_directory: string }>('SHOW data_directory')
  const pidFile = join(setting?.data_directory ?? '', 'postmaster.pid')

  const store: Store = {
    async storedState() {
      const events = await query<StoredEvent>(
        `SELECT payment_id AS "paymentId", event, ${STATE} AS state FROM hookproof.inbox ORDER BY id`,
      )
      const entries = await query<LedgerEntry>(
        `SELECT payment_id AS "paymentId", effect, amount, currency FROM hookproof.ledger ORDER BY id`,
      )
      return { events, entries }
    },
    async waitUntilProcessed() {
      await ageAttempts()
      const deadline = Date.now() + PROCESSED_WITHIN_MS
      for (;;) {
        const [row] = await query<{ open: number }>(
          `SELECT count(*)::int AS open FROM hookproof.inbox WHERE state IN ('pending', 'processing')`,
        )
        const open = row?.open ?? 0
        if (open === 0 || Date.now() > deadline) return open
        await wait(200)
      }
    },
    problems: () => [],
  }

  /** Backdates the attempts that killed receivers left behind, so that nobody waits until they expire. */
  async function ageAttempts(): Promise<void> {
    await query(
      `UPDATE hookproof.inbox SET started_at = started_at - interval '1 hour' WHERE state = 'processing'`,
    )
  }

  return {
    ...store,
    url,
    ageAttempts,
    /** Stops it: `fast` closes connections and files in order, `immediate` aborts like a crash. */
    async stop(mode: 'fast' | 'immediate') {
      if (mode === 'immediate') process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT')
      await server.stop()
    },
    start: () => server.start(),
    /** Changes settings of the running server, as an administrator would: ALTER SYSTEM, then a reload. */
    async configure(settings: Readonly<Record<string, string>>) {
      for (const [name, value] of Object.entries(settings))
        await query(`ALTER SYSTEM SET ${name} = '${value}'`)
      await query('SELECT pg_reload_conf()')
    },
    remove: () => server.remove(),
  }
}
