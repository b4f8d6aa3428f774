import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { startServer } from '../../../test/support/postgres-server.ts'
import type { LedgerEntry, Store, StoredEvent } from './audit.ts'

const PROCESSED_WITHIN_MS = 90_000
const STATE = `CASE WHEN j.id IS NULL THEN 'done' WHEN j.state IN ('created', 'retry', 'active') THEN 'open' ELSE 'dead' END`
const EVENTS = `FROM hookproof.inbox e LEFT JOIN hookproof_queue.job j ON j.name = 'inbox' AND j.id = e.id`

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

  /** The process id of the server, whose children are its other processes. */
  const pid = (): number => Number.parseInt(readFileSync(pidFile, 'utf8'), 10)

  const store: Store = {
    async storedState() {
      const events = await query<StoredEvent>(
        `SELECT e.payment_id AS "paymentId", e.event, ${STATE} AS state ${EVENTS} ORDER BY e.id`,
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
          `SELECT count(*)::int AS open ${EVENTS} WHERE j.state IN ('created', 'retry', 'active')`,
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
      `UPDATE hookproof_queue.job SET started_on = started_on - interval '1 hour' WHERE state = 'active'`,
    )
  }

  return {
    ...store,
    url,
    pid,
    ageAttempts,
    /** Stops it: `fast` closes connections and files in order, `immediate` aborts like a crash. */
    async stop(mode: 'fast' | 'immediate') {
      if (mode === 'immediate') process.kill(pid(), 'SIGQUIT')
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
