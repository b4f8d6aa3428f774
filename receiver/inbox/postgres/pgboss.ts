import { createHash } from 'node:crypto'
import type PgBoss from 'pg-boss'
import { InboxError } from '../../inbox.ts'

// Wraps the SQL of pg-boss in ours, so that storing an event with its job, or claiming an entry with its job, takes one
// round trip to the database instead of four. Unexpected SQL of another pg-boss version is rejected.

export const OTHER_PGBOSS =
  'inbox: the installed pg-boss version is not supported. Run npm install pg-boss@10.4.2.'

/**
 * One statement that stores rows and inserts a job for each of them.
 * @param inserting pg-boss's statement that inserts jobs
 * @param storing our statement that stores rows and returns them
 * @param start the SQL expression of a job's start time, from its row
 */
export function insertWithJobs(inserting: string, storing: string, start: string): string {
  const jobs = `(SELECT json_agg($1::jsonb -> 0 || jsonb_build_object('id', id, 'startAfter', ${start})) FROM stored)`
  const queued = replaced(inserting, 'json_to_recordset($1)', `json_to_recordset(${jobs})`)
  return `WITH stored AS (${storing}), queued AS (${queued}) SELECT * FROM stored`
}

/** A prepared statement: its name on each connection, and its text. */
export interface Prepared {
  readonly name: string
  readonly text: string
}

/** Names a statement so that Postgres parses it once per connection, because a sender waits for it. */
export const prepared = (text: string): Prepared => ({
  name: `hookproof_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`,
  text,
})

/**
 * One statement that fetches jobs and selects from them. pg-boss fetches jobs that are due by the clock of the database,
 * oldest first. This statement fetches jobs that are due at $3, earliest due first, which is the order of the index: a long
 * queue is not sorted for each fetch.
 * @param fetching pg-boss's statement that fetches jobs
 * @param select makes a SELECT from the name of the relation of fetched jobs
 */
export function fetchStatement(fetching: string, select: (fetched: string) => string): string {
  const due = replaced(fetching, 'start_after < now()', 'start_after <= $3')
  const firstDueFirst = replaced(due, 'BY created_on, id', 'BY start_after')
  return `WITH fetched AS (${firstDueFirst}) ${select('fetched')}`
}

type Statement = (text: string, values: readonly unknown[]) => Promise<{ rows: never[] }>

/**
 * Captures the statement that a call to pg-boss would execute, and runs our statement instead.
 * @returns the rows of our statement
 * @throws what our statement threw; pg-boss's fetch would hide it, and an unavailable database would look like an empty queue
 */
export async function interceptStatement<Row>(
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
