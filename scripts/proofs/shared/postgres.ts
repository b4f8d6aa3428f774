import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { startServer } from '../../../test/support/postgres-server.ts'
import type { LedgerEntry, StoredEvent, StoredState } from './audit.ts'

/** A Postgres server for one proof, which can be stopped and started again. */
export interface Postgres {
  readonly url: string
  /** The process id of the server, whose children are its other processes. */
  pid(): number
  /** Stops it: `fast` closes connections and files in order, `immediate` aborts like a crash. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Changes settings of the running server, as an administrator would: ALTER SYSTEM, then a reload. */
  configure(settings: Readonly<Record<string, string>>): Promise<void>
  /** Every event of the inbox and every entry of the ledger. */
  storedState(): Promise<StoredState>
  /** Waits until every event is processed. @returns how many are still open after `withinMs` milliseconds */
  waitUntilProcessed(withinMs?: number): Promise<number>
  /** Backdates the attempts that killed receivers left behind, so that nobody waits until they expire. */
  ageAttempts(): Promise<void>
  remove(): Promise<void>
}

const STATE = `CASE WHEN j.id IS NULL THEN 'done' WHEN j.state IN ('created', 'retry', 'active') THEN 'open' ELSE 'dead' END`
const EVENTS = `FROM hookproof.inbox e LEFT JOIN hookproof_queue.job j ON j.name = 'inbox' AND j.id = e.id`

/** @throws Error if Postgres cannot be started on this machine */
export async function startPostgres(): Promise<Postgres> {
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

  const pid = (): number => Number.parseInt(readFileSync(pidFile, 'utf8'), 10)

  return {
    url,
    pid,
    async stop(mode) {
      if (mode === 'immediate') process.kill(pid(), 'SIGQUIT')
      await server.stop()
    },
    start: () => server.start(),
    async configure(settings) {
      for (const [name, value] of Object.entries(settings))
        await query(`ALTER SYSTEM SET ${name} = '${value}'`)
      await query('SELECT pg_reload_conf()')
    },
    async storedState() {
      const events = await query<StoredEvent>(
        `SELECT e.payment_id AS "paymentId", e.event, ${STATE} AS state ${EVENTS} ORDER BY e.id`,
      )
      const entries = await query<LedgerEntry>(
        `SELECT payment_id AS "paymentId", effect, amount, currency FROM hookproof.ledger ORDER BY id`,
      )
      return { events, entries }
    },
    async waitUntilProcessed(withinMs = 90_000) {
      const deadline = Date.now() + withinMs
      for (;;) {
        const [row] = await query<{ open: number }>(
          `SELECT count(*)::int AS open ${EVENTS} WHERE j.state IN ('created', 'retry', 'active')`,
        )
        const open = row?.open ?? 0
        if (open === 0 || Date.now() > deadline) return open
        await wait(200)
      }
    },
    async ageAttempts() {
      await query(
        `UPDATE hookproof_queue.job SET started_on = started_on - interval '1 hour' WHERE state = 'active'`,
      )
    },
    remove: () => server.remove(),
  }
}
