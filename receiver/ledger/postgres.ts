import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { connectionOf } from '../inbox/postgres/connection.ts'
import { plainName } from '../inbox/postgres/schema.ts'
import { fromColumn, toColumn } from '../inbox/text.ts'
import type { Ledger, LedgerLine } from '../orders.ts'

export interface PostgresLedgerOptions {
  /** The pool of the inbox, which creates the tables. */
  pool: Pool
  /** The schema of the inbox. */
  schema?: string
}

/** Indexed instead of the id, because an index cannot hold text of any length. */
const hashOf = (paymentId: string): Buffer => createHash('sha256').update(toColumn(paymentId)).digest()

/**
 * A ledger in the database of the inbox, so that a ledger line and the completion of its event commit together. If
 * receivers handle two events of one payment at once, Postgres records one after the other. SPEC.md 9.
 */
export function postgresLedger({
  pool,
  schema: schemaName = 'hookproof',
}: PostgresLedgerOptions): Ledger<PoolClient> {
  const schema = plainName(schemaName)
  const { query } = connectionOf(pool)
  // One statement, so that it is atomic even if the caller does not await it. On a conflict Postgres locks the payment's
  // row and then evaluates the condition again, so it sees what another receiver recorded meanwhile.
  const add = `
    WITH allowed AS (
      INSERT INTO ${schema}.payment AS known (payment_hash, livemode, effects) VALUES ($1, $3, ARRAY[$4::text])
      ON CONFLICT (payment_hash, livemode) DO UPDATE SET effects = known.effects || excluded.effects
        WHERE NOT known.effects && $8::text[]
      RETURNING 1
    )
    INSERT INTO ${schema}.ledger (payment_hash, payment_id, livemode, effect, event, amount, currency)
    SELECT $1, $2, $3, $4, $5, $6, $7 FROM allowed`

  return {
    async addUnless(client, conflicting, { paymentId, livemode, effect, event, amount, currency }) {
      const values = [
        hashOf(paymentId),
        toColumn(paymentId),
        livemode,
        effect,
        event,
        toColumn(amount),
        toColumn(currency),
      ]
      const { rowCount } = await client.query(add, [...values, conflicting])
      return rowCount === 1
    },
    async linesOf(paymentId) {
      const { rows } = await query<Omit<LedgerLine, 'paymentId'>>(
        `SELECT livemode, effect, event, amount, currency FROM ${schema}.ledger WHERE payment_hash = $1 ORDER BY id`,
        [hashOf(paymentId)],
      )
      return rows.map((row) => ({
        ...row,
        paymentId,
        amount: fromColumn(row.amount),
        currency: fromColumn(row.currency),
      }))
    },
  }
}
