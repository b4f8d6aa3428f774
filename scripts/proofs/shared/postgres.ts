import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { startServer } from '../../../test/support/postgres-server.ts'
import type { BookedLine, Stored, StoredEvent } from './audit.ts'

/** A Postgres of the proof's own, which can be taken away and brought back. */
export interface Postgres {
  readonly url: string
  /** Ends it: `fast` closes connections and files in good order, `immediate` stops where it stands, like a crash. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Every event and every line of the ledger. */
  stored(): Promise<Stored>
  /** Waits until nothing is left to be handled. @returns how many were still open when the time was up */
  drained(withinMs?: number): Promise<number>
  /** Lets the attempts that dead receivers left behind seem older, rather than wait until they are. */
  ageAttempts(): Promise<void>
  remove(): Promise<void>
}

const STATE = `CASE WHEN j.id IS NULL THEN 'done' WHEN j.state IN ('created', 'retry', 'active') THEN 'open' ELSE 'dead' END`
const EVENTS = `FROM hookproof.inbox e LEFT JOIN hookproof_queue.job j ON j.name = 'inbox' AND j.id = e.id`

export async function startPostgres(): Promise<Postgres> {
  const server = await startServer()
  const { url } = server

  async function ask<T>(statement: string): Promise<T[]> {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      const { rows } = await client.query(statement)
      return rows
    } finally {
      await client.end()
    }
  }

  const [place] = await ask<{ data_directory: string }>('SHOW data_directory')
  const pidFile = join(place?.data_directory ?? '', 'postmaster.pid')

  return {
    url,
    async stop(mode) {
      if (mode === 'immediate') process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT')
      await server.stop()
    },
    start: () => server.start(),
    async stored() {
      const events = await ask<StoredEvent>(
        `SELECT e.payment_id AS "paymentId", e.event, ${STATE} AS state ${EVENTS} ORDER BY e.id`,
      )
      const lines = await ask<BookedLine>(
        `SELECT payment_id AS "paymentId", effect, amount, currency FROM hookproof.ledger ORDER BY id`,
      )
      return { events, lines }
    },
    async drained(withinMs = 90_000) {
      const end = Date.now() + withinMs
      for (;;) {
        const [found] = await ask<{ open: number }>(
          `SELECT count(*)::int AS open ${EVENTS} WHERE j.state IN ('created', 'retry', 'active')`,
        )
        const open = found?.open ?? 0
        if (open === 0 || Date.now() > end) return open
        await wait(200)
      }
    },
    async ageAttempts() {
      await ask(
        `UPDATE hookproof_queue.job SET started_on = started_on - interval '1 hour' WHERE state = 'active'`,
      )
    },
    remove: () => server.remove(),
  }
}
