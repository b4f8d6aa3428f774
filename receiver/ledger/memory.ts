import type { Ledger, LedgerLine } from '../orders.ts'

/** A ledger for tests and first trials: it is lost with the process. */
export function memoryLedger(): Ledger<undefined> {
  const payments = new Map<string, LedgerLine[]>()
  return {
    addUnless(_transaction, standing, line) {
      const lines = payments.get(line.paymentId) ?? []
      if (lines.some(({ livemode, effect }) => livemode === line.livemode && standing.includes(effect)))
        return false
      payments.set(line.paymentId, [...lines, line])
      return true
    },
    async linesOf(paymentId) {
      return payments.get(paymentId) ?? []
    },
  }
}
