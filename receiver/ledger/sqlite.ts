import type { Database } from '../inbox/sqlite/driver.ts'
import { fromColumn, toColumn } from '../inbox/text.ts'
import type { Ledger, LedgerLine } from '../orders.ts'

type Row = Omit<LedgerLine, 'paymentId' | 'livemode'> & { livemode: 0 | 1 }

/** A ledger in the file of the inbox, so that a ledger line and the completion of its event commit together. SPEC.md 9. */
export function sqliteLedger(database: Database): Ledger<Database> {
  const insert = database.prepare(
    `INSERT INTO ledger (payment_id, livemode, effect, event, amount, currency)
     SELECT :paymentId, :livemode, :effect, :event, :amount, :currency
     WHERE NOT EXISTS (
       SELECT 1 FROM ledger
       WHERE payment_id = :paymentId AND livemode = :livemode AND effect IN (SELECT value FROM json_each(:conflicting))
     )`,
  )
  const select = database.prepare('SELECT * FROM ledger WHERE payment_id = ? ORDER BY id')

  return {
    addUnless(transaction, conflicting, { paymentId, livemode, effect, event, amount, currency }) {
      if (transaction !== database) {
        throw new TypeError(
          'sqliteLedger: the transaction belongs to another database. Pass the transaction of the inbox.',
        )
      }
      const { changes } = insert.run({
        paymentId: toColumn(paymentId),
        livemode: livemode ? 1 : 0,
        effect,
        event,
        amount: toColumn(amount),
        currency: toColumn(currency),
        conflicting: JSON.stringify(conflicting),
      })
      return changes === 1
    },
    async linesOf(paymentId) {
      const rows: Row[] = select.all(toColumn(paymentId))
      return rows.map(({ livemode, effect, event, amount, currency }) => ({
        paymentId,
        livemode: livemode === 1,
        effect,
        event,
        amount: fromColumn(amount),
        currency: fromColumn(currency),
      }))
    },
  }
}
