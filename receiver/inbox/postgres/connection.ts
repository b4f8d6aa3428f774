import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { LostAttemptError } from '../../inbox.ts'
import { within } from '../../shared/time.ts'
import { WAIT_FOR_DISK } from './durable.ts'
import { nameOf, postgresError } from './errors.ts'

/** A database that may become unavailable and recover. Its failures are thrown as InboxError. */
export interface Connection {
  readonly name: string
  /**
   * Runs a statement of the inbox, in the transaction of the client if there is one, otherwise in its own.
   * @throws InboxError if it fails.
   */
  readonly query: <Row extends object>(
    sql: string | QueryConfig,
    values?: unknown[],
    client?: PoolClient,
  ) => Promise<QueryResult<Row>>
  /**
   * Runs work in a new transaction on one client, whose commit waits for the disk; if the work throws, the transaction is
   * rolled back.
   * @throws what the work threw; InboxError if the transaction could not begin or commit.
   */
  readonly transaction: <Result>(work: (client: PoolClient) => Promise<Result>) => Promise<Result>
}

/**
 * Begins a transaction in one round trip. The isolation level is explicit, because the database may have another default
 * and the statements are designed for this level.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ${WAIT_FOR_DISK}, pg_backend_pid() AS pid`

/** A statement that keeps its transaction from being rolled back for this long is canceled, in milliseconds. */
const ROLLBACK_MS = 1000

const withErrorHandler = new WeakSet<Pool>()

/** Wraps a pool. From then on, an idle connection that breaks does not crash the process. */
export function connectionOf(pool: Pool): Connection {
  const name = nameOf(pool)
  if (!withErrorHandler.has(pool)) {
    // The next statement that needs a connection reports the problem.
    pool.on('error', ignore)
    withErrorHandler.add(pool)
  }

  async function orInboxError<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw postgresError(error, name)
    }
  }

  const query: Connection['query'] = (sql, values, client) =>
    orInboxError(() => (client ?? pool).query(sql, values))

  return {
    name,
    query,
    async transaction(work) {
      const client = await orInboxError(() => pool.connect())
      // The pool does not handle errors of a client in use, and an unhandled error event would crash the process.
      client.on('error', ignore)
      let broken = false
      let begun: readonly QueryResult<{ pid?: number }>[] = []
      try {
        // The driver resolves to a result for each of the statements.
        begun = [await query<{ pid?: number }>(BEGIN, [], client)].flat()
        const result = await work(client)
        const { command } = await query('COMMIT', [], client)
        // Postgres answers COMMIT with ROLLBACK, not with an error, after a failed statement that the work ignored.
        if (command === 'ROLLBACK') {
          throw new Error(
            'transact: a statement in the transaction failed, so the transaction was rolled back.',
          )
        }
        return result
      } catch (error) {
        const rolledBack = client.query('ROLLBACK')
        broken = !(error instanceof LostAttemptError)
        if (broken) rejectFurtherQueries(client)
        await within(ROLLBACK_MS, rolledBack, 'a statement is still running').catch(() => {
          broken = true
          const cancel = query('SELECT pg_cancel_backend($1)', [begun.at(-1)?.rows[0]?.pid])
          return within(ROLLBACK_MS, cancel, 'the server does not answer').catch(ignore)
        })
        throw error
      } finally {
        client.off('error', ignore)
        client.release(broken)
      }
    },
  }
}

/** Keeps statements that the work did not await from running after the transaction; the client is discarded. */
function rejectFurtherQueries(client: PoolClient): void {
  const query = () => Promise.reject(new Error('transact: the transaction has ended.'))
  Object.assign(client, { query })
}

function ignore(): void {}
