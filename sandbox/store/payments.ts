import type { Mode, Payment, PaymentStatus } from '../model.ts'
import { type PaymentRow, paymentOf, valuesOf } from './payment-row.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

/** Which payments to list, newest first. */
interface PaymentFilter {
  organizationId: string
  mode: Mode
  status?: PaymentStatus
  /** Only payments older than this one. */
  startingAfter?: string
  limit: number
}

/** Payments and their child transactions. Interface 2.4. */
export interface Payments {
  insert: (payment: Payment) => void
  /** Writes the fields that can change. */
  update: (payment: Payment) => void
  /** A root payment of any organization; the API uses `own`. */
  get: (id: string) => Payment | undefined
  /** A root payment of this organization and mode. */
  own: (organizationId: string, mode: Mode, id: string) => Payment | undefined
  /** Root payments, newest first. */
  list: (filter: PaymentFilter) => Payment[]
  /** Child transactions, oldest first. */
  children: (id: string) => Payment[]
  /** The window that ends first; undefined if none is open. */
  nextWindow: () => { id: string; endsAt: number } | undefined
  /** How many windows end until a time, at most `limit`. */
  openWindows: (until: number, limit: number) => number
}

/** Prepares the statements on payments. */
export function payments(database: Database): Payments {
  const insert = command(
    database,
    `INSERT INTO payments
       (id, parent_id, organization_id, mode, amount, currency, return_url, webhook_url, metadata, created_at,
        status, amount_received, method, settled_via, failure_code, failure_reason, refund_type, updated_at,
        window_ends_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = command(
    database,
    `UPDATE payments SET status = ?, amount_received = ?, method = ?, settled_via = ?, failure_code = ?,
       failure_reason = ?, refund_type = ?, updated_at = ?, window_ends_at = ?
     WHERE id = ?`,
  )
  const get = query<PaymentRow>(database, 'SELECT * FROM payments WHERE id = ? AND parent_id IS NULL')
  const seqOf = query<{ seq: number }>(database, 'SELECT seq FROM payments WHERE id = ?')
  const listed = (more: string) =>
    query<PaymentRow>(
      database,
      `SELECT * FROM payments
       WHERE parent_id IS NULL AND organization_id = ? AND mode = ? AND seq < ? ${more}
       ORDER BY seq DESC LIMIT ?`,
    )
  const list = listed('')
  const listOfStatus = listed('AND status = ?')
  const children = query<PaymentRow>(database, 'SELECT * FROM payments WHERE parent_id = ? ORDER BY seq')
  const waiting = "status = 'partial' AND window_ends_at IS NOT NULL AND parent_id IS NULL"
  const nextWindow = query<{ id: string; endsAt: number }>(
    database,
    `SELECT id, window_ends_at AS endsAt FROM payments WHERE ${waiting} ORDER BY window_ends_at, seq LIMIT 1`,
  )
  const openWindows = query<{ n: number }>(
    database,
    `SELECT count(*) AS n FROM (SELECT 1 FROM payments WHERE ${waiting} AND window_ends_at <= ? LIMIT ?)`,
  )
  const found = (row: PaymentRow | undefined) => row && paymentOf(row)
  return {
    insert: (payment) => {
      const { fixed, changing } = valuesOf(payment)
      insert(payment.id, ...fixed, ...changing)
    },
    update: (payment) => void update(...valuesOf(payment).changing, payment.id),
    get: (id) => found(get.get(id)),
    own: (organizationId, mode, id) => {
      const payment = found(get.get(id))
      return payment?.organizationId === organizationId && payment.mode === mode ? payment : undefined
    },
    list: ({ organizationId, mode, status, startingAfter, limit }) => {
      const before =
        startingAfter === undefined ? Number.MAX_SAFE_INTEGER : (seqOf.get(startingAfter)?.seq ?? 0)
      const rows =
        status === undefined
          ? list.all(organizationId, mode, before, limit)
          : listOfStatus.all(organizationId, mode, before, status, limit)
      return rows.map(paymentOf)
    },
    children: (id) => children.all(id).map(paymentOf),
    nextWindow: () => nextWindow.get(),
    openWindows: (until, limit) => openWindows.get(until, limit)?.n ?? 0,
  }
}
