import { sqliteInbox } from '../../receiver/inbox/sqlite.ts'

/**
 * Makes the ledger in the file of a SQLite inbox fail, so that events end up dead.
 *
 * @param paymentId for this payment only; by default for each
 */
export async function closeBooks(path: string, paymentId?: string): Promise<void> {
  const inbox = await sqliteInbox({ path })
  const only = paymentId === undefined ? '' : `WHEN NEW.payment_id = '${paymentId}'`
  inbox.database.exec(
    `CREATE TRIGGER closed BEFORE INSERT ON ledger ${only} BEGIN SELECT RAISE(FAIL, 'the books are closed'); END`,
  )
  await inbox.close()
}
