import type { Ledger, LedgerLine } from '../orders.ts'

/** An in-memory ledger for tests and trials: its lines are lost when the process ends. */
export function memoryLedger(): Ledger<undefined> {
  const payments = new Map<string, LedgerLine[]>()
  return {
    addUnless(_transaction, conflicting, line) {
      const lines = payments.get(line.paymentId) ?? []
      if (lines.some(({ livemode, effect }) => livemode === line.livemode && conflicting.includes(effect)))
        return false
      payments.set(line.paymentId, [...lines, line])
      return true
    },
    async linesOf(paymentId) {
      return payments.get(paymentId) ?? []
    },
  }
}
