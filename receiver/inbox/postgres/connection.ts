import type { Pool, PoolClient } from 'pg'
import { LostAttemptError } from '../../inbox.ts'
import { connectError, nameOf, postgresError } from './errors.ts'

/** A database that is there, goes away and comes back. Its own failures are told as InboxError. */
export interface Connection {
  readonly name: string
  readonly pool: Pool
  /** Waits for a statement of the inbox's own. @throws InboxError if it fails. */
  readonly told: <Result>(statement: Promise<Result>) => Promise<Result>
  /**
   * Does work in a transaction of its own, on one client; when it throws, nothing of it is kept.
   * @throws what the work threw; InboxError if the transaction could not be begun or committed.
   */
  readonly transaction: <Result>(work: (client: PoolClient) => Promise<Result>) => Promise<Result>
}

const heard = new WeakSet<Pool>()

/** Wraps a pool. From then on a connection that breaks while it is idle no longer ends the process. */
export function connectionOf(pool: Pool): Connection {
  const name = nameOf(pool)
  if (!heard.has(pool)) {
    // The statement that next needs a connection says what is wrong.
    pool.on('error', ignore)
    heard.add(pool)
  }

  const told: Connection['told'] = (statement) =>
    statement.catch((error: unknown) => {
      throw postgresError(error, name)
    })

  async function connect(): Promise<PoolClient> {
    try {
      return await pool.connect()
    } catch (error) {
      throw connectError(error, name, pool.options.connectionTimeoutMillis)
    }
  }

  return {
    name,
    pool,
    told,
    async transaction(work) {
      const client = await connect()
      // A client in use is not watched by the pool, and an error that nobody hears ends the process.
      client.on('error', ignore)
      let broken = false
      try {
        // Whatever the default of the database is: what the statements here do was thought out for this level.
        await told(client.query('BEGIN ISOLATION LEVEL READ COMMITTED'))
        const result = await work(client)
        const { command } = await told(client.query('COMMIT'))
        // Postgres answers so, and not with an error, when a statement had failed and nobody minded.
        if (command === 'ROLLBACK') {
          throw new Error('transact: a statement in the transaction failed, so nothing of it was kept.')
        }
        return result
      } catch (error) {
        const rolledBack = client.query('ROLLBACK')
        broken = !(error instanceof LostAttemptError)
        if (broken) refuseMore(client)
        await rolledBack.catch(() => {
          broken = true
        })
        throw error
      } finally {
        client.off('error', ignore)
        client.release(broken)
      }
    },
  }
}

/** What the work left under way must not write anything after the end of its transaction; the client is thrown away. */
function refuseMore(client: PoolClient): void {
  const query = () => Promise.reject(new Error('transact: its transaction is over.'))
  Object.assign(client, { query })
}

function ignore(): void {}
