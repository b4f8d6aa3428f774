import type { FailureCode, PaymentMethod, RefundType } from '../../schemas/types.ts'
import type { Mode, Payment, PaymentStatus } from '../model.ts'
import { command, query, type Value } from './rows.ts'
import type { Database } from './sqlite.ts'

/** Which payments to list, newest first. */
interface ListFilter {
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
  list: (filter: ListFilter) => Payment[]
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

/** A row of the table `payments`. */
export interface PaymentRow {
  id: string
  parent_id: string | null
  organization_id: string
  mode: Mode
  status: PaymentStatus
  amount: string
  amount_received: string | null
  currency: string
  method: PaymentMethod | null
  return_url: string | null
  webhook_url: string | null
  metadata: string
  settled_via: string | null
  failure_code: FailureCode | null
  failure_reason: string | null
  refund_type: RefundType | null
  created_at: number
  updated_at: number
  window_ends_at: number | null
}

/** Converts a row of the table `payments`. */
export function paymentOf(row: PaymentRow): Payment {
  return {
    id: row.id,
    parentId: row.parent_id,
    organizationId: row.organization_id,
    mode: row.mode,
    status: row.status,
    amount: row.amount,
    amountReceived: row.amount_received,
    currency: row.currency,
    method: row.method,
    returnUrl: row.return_url,
    webhookUrl: row.webhook_url,
    metadata: JSON.parse(row.metadata),
    settledVia: row.settled_via === null ? null : JSON.parse(row.settled_via),
    failureCode: row.failure_code,
    failureReason: row.failure_reason,
    refundType: row.refund_type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    windowEndsAt: row.window_ends_at,
  }
}

/** The values of a row except its id: those that are fixed, and those that a transition changes. */
export function valuesOf(payment: Payment): { fixed: Value[]; changing: Value[] } {
  return {
    fixed: [
      payment.parentId,
      payment.organizationId,
      payment.mode,
      payment.amount,
      payment.currency,
      payment.returnUrl,
      payment.webhookUrl,
      // JSON escapes what a text column cannot store: NUL, and half of a surrogate pair.
      JSON.stringify(payment.metadata),
      payment.createdAt,
    ],
    changing: [
      payment.status,
      payment.amountReceived,
      payment.method,
      payment.settledVia && JSON.stringify(payment.settledVia),
      payment.failureCode,
      payment.failureReason,
      payment.refundType,
      payment.updatedAt,
      payment.windowEndsAt,
    ],
  }
}

/** Which payments to match; an undefined field matches every payment. */
export interface PaymentFilter extends PaymentSearch {
  readonly organizationId: string
  readonly mode: Mode
  readonly status?: PaymentStatus | undefined
}

/** The orders of the list: by time, or by amount, whatever the currency. */
export const PAYMENT_SORTS = ['newest', 'oldest', 'highest', 'lowest'] as const

export type PaymentSort = (typeof PAYMENT_SORTS)[number]

interface PageOf extends PaymentFilter {
  readonly sort: PaymentSort
  /** Only payments that come later in the list than this one. */
  readonly before?: string | undefined
  /** Only payments that come earlier in the list than this one: those nearest to it. */
  readonly after?: string | undefined
  readonly limit: number
}

/** The keys of each order; a second one makes it complete. */
const KEYS: Readonly<Record<PaymentSort, { keys: readonly string[]; isDescending: boolean }>> = {
  newest: { keys: ['seq'], isDescending: true },
  oldest: { keys: ['seq'], isDescending: false },
  highest: { keys: ['CAST(amount AS REAL)', 'seq'], isDescending: true },
  lowest: { keys: ['CAST(amount AS REAL)', 'seq'], isDescending: false },
}

function conditionsOf({ organizationId, mode, status, from, until, text }: PaymentFilter) {
  const conditions: [string, ...Value[]][] = [
    ['p.parent_id IS NULL AND p.organization_id = ? AND p.mode = ?', organizationId, mode],
  ]
  if (status !== undefined) conditions.push(['p.status = ?', status])
  if (from !== undefined) conditions.push(['p.created_at >= ?', from])
  if (until !== undefined) conditions.push(['p.created_at < ?', until])
  if (text !== undefined) {
    const own = `p.id IN (SELECT payment_id FROM events WHERE id ${HAS_ID})`
    conditions.push([`(${MATCHES_PAYMENT} OR ${own})`, ...searchValues(text), text, text])
  }
  return {
    sql: conditions.map(([sql]) => sql).join(' AND '),
    values: conditions.flatMap(([, ...values]) => values),
  }
}

/** Prepares a query for a page of matching root payments. */
export function paymentPage(database: Database): (page: PageOf) => Payment[] {
  return ({ sort, before, after, limit, ...filter }) => {
    const { sql, values } = conditionsOf(filter)
    const { keys, isDescending } = KEYS[sort]
    const isFalling = isDescending !== (after !== undefined)
    const edge = after ?? before
    const sign = isFalling ? '<' : '>'
    const beyond =
      edge === undefined
        ? ''
        : `AND (${keys.join(', ')}) ${sign} (SELECT ${keys.join(', ')} FROM payments WHERE id = ?)`
    const order = keys.map((key) => `${key} ${isFalling ? 'DESC' : 'ASC'}`).join(', ')
    const list = query<PaymentRow>(
      database,
      `SELECT * FROM payments AS p WHERE ${sql} ${beyond} ORDER BY ${order} LIMIT ?`,
    )
    const found = list.all(...values, ...(edge === undefined ? [] : [edge]), limit).map(paymentOf)
    return after === undefined ? found : found.toReversed()
  }
}

/** Prepares a query for the number of matching root payments. */
export function paymentCount(database: Database): (filter: PaymentFilter) => number {
  return (filter) => {
    const { sql, values } = conditionsOf(filter)
    const count = query<{ n: number }>(database, `SELECT count(*) AS n FROM payments AS p WHERE ${sql}`)
    return count.get(...values)?.n ?? 0
  }
}

/** A search in the texts of payments, and a range of time. */
export interface PaymentSearch {
  /** Part of a payment's id, amount, failure code or metadata, an entry of the metadata as `name=value`, or the id of an event or delivery. */
  readonly text?: string | undefined
  /** Created at this time or later, in milliseconds since 1970. */
  readonly from?: number | undefined
  /** Created before this time. */
  readonly until?: number | undefined
}

/** The search as SQL, with the alias `p` for the payment; {@link searchValues} has its values. */
export const MATCHES_PAYMENT = `(p.id LIKE ? ESCAPE '\\' OR p.amount = ? OR p.failure_code LIKE ? ESCAPE '\\'
  OR p.amount || ' ' || p.currency LIKE ? ESCAPE '\\' OR p.metadata LIKE ? ESCAPE '\\' OR p.metadata LIKE ? ESCAPE '\\')`

/** The values of {@link MATCHES_PAYMENT}. LIKE ignores the case of ASCII letters. */
export function searchValues(text: string): Value[] {
  const starts = `${escaped(text)}%`
  // Metadata is stored as JSON, where quotes and line breaks are escaped.
  const metadata = `%${escaped(JSON.stringify(text).slice(1, -1))}%`
  return [`%${escaped(text)}%`, text, `%${escaped(text)}%`, starts, metadata, entryIn(text)]
}

/** `name=value` as an entry of the metadata; null, which matches nothing, without an equals sign. */
function entryIn(text: string): string | null {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) return null
  return `%${escaped(`${JSON.stringify(name.trim())}:${JSON.stringify(value.trim())}`)}%`
}

/** Whether the id of an event is a text, or that of one of its deliveries is; it takes the text twice. */
export const HAS_ID = 'IN (SELECT ? UNION ALL SELECT event_id FROM deliveries WHERE id = ?)'

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
