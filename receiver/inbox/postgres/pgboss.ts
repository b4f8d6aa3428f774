import { createHash } from 'node:crypto'
import type PgBoss from 'pg-boss'
import { InboxError } from '../../inbox.ts'

// pg-boss's own statements, with ours around them: an event and its job, or a claim and its entry, then cost one round
// trip to the database and not four. Whatever else it may become in another version, it is refused then.

export const OTHER_PGBOSS = 'inbox: needs another pg-boss. Run npm install pg-boss@10.4.2.'

/**
 * pg-boss's statement that inserts jobs, with one for each row that another has just stored. They differ only in `id` and
 * in when they start, which `start` makes of the row.
 */
export function storingWithJobs(queueing: string, storing: string, start: string): string {
  const jobs = `(SELECT json_agg($1::jsonb -> 0 || jsonb_build_object('id', id, 'startAfter', ${start})) FROM stored)`
  const queued = replaced(queueing, 'json_to_recordset($1)', `json_to_recordset(${jobs})`)
  return `WITH stored AS (${storing}), queued AS (${queued}) SELECT * FROM stored`
}

/** A statement and the name under which a connection remembers it. */
export interface Prepared {
  readonly name: string
  readonly text: string
}

/** Has Postgres parse it once for each connection: a sender waits for this one. */
export const prepared = (text: string): Prepared => ({
  name: `hookproof_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`,
  text,
})

/**
 * pg-boss's statement that fetches jobs, and what `select` makes of them. pg-boss fetches what is due by the database's
 * clock, and oldest first. Here it is due at $3, and what is due first comes first, which is how its index is sorted: a
 * long queue need not be sorted for each fetch.
 */
export function taking(fetching: string, select: (taken: string) => string): string {
  const due = replaced(fetching, 'start_after < now()', 'start_after <= $3')
  const firstDueFirst = replaced(due, 'BY created_on, id', 'BY start_after')
  return `WITH taken AS (${firstDueFirst}) ${select('taken')}`
}

type Statement = (text: string, values: readonly unknown[]) => Promise<{ rows: never[] }>

/**
 * Has pg-boss make its statement, and runs another in its place that has it within. Answers the rows of that, or throws
 * what it threw: fetch would keep that to itself, and a database that is gone would look like an empty queue.
 */
export async function passing<Row>(
  call: (db: PgBoss.Db) => Promise<unknown>,
  run: Statement,
): Promise<Row[]> {
  let running: ReturnType<Statement> | undefined
  await call({
    async executeSql(text, values) {
      running = (async () => run(text, values))()
      await running.catch(() => {})
      return { rows: [] }
    },
  })
  return (await running)?.rows ?? []
}

function replaced(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new InboxError(OTHER_PGBOSS)
  return text.replace(part, () => by)
}
