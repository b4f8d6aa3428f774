import type { Mode, Payment, PaymentStatus } from '../model.ts'
import { statements, tableOf, type Value } from './rows.ts'
import type { Database } from './sqlite.ts'

const paymentTable = (database: Database) =>
  tableOf<Payment>(database, 'payments', { metadata: 'json', settledVia: 'json' })

const CHANGING = [
  'status',
  'amountReceived',
  'method',
  'settledVia',
  'failureCode',
  'failureReason',
  'refundType',
  'updatedAt',
  'windowEndsAt',
] as const satisfies readonly (keyof Payment)[]

/** The statements on payments and their child transactions. Interface 2.4. */
export function payments(database: Database) {
  const table = paymentTable(database)
  const { all } = statements(database)
  const get = (id: string) => table.one('WHERE id = ? AND parent_id IS NULL', id)
  const waiting = "status = 'partial' AND window_ends_at IS NOT NULL AND parent_id IS NULL"
  return {
    insert: table.insert,
    /** Writes the fields that can change. */
    update: (payment: Payment) => {
      const changes = Object.fromEntries(CHANGING.map((field) => [field, payment[field]]))
      table.update(changes, 'id = ?', payment.id)
    },
    /** A root payment of any organization; the API uses `own`. */
    get,
    /** A root payment of this organization and mode. */
    own: (organizationId: string, mode: Mode, id: string) => {
      const payment = get(id)
      return payment?.organizationId === organizationId && payment.mode === mode ? payment : undefined
    },
    /** Child transactions, oldest first. */
    children: (id: string) => table.all('WHERE parent_id = ? ORDER BY seq', id),
    /** The window that ends first; undefined if none is open. */
    nextWindow: () =>
      all<{ id: string; endsAt: number }>(
        `SELECT id, window_ends_at AS endsAt FROM payments WHERE ${waiting} ORDER BY window_ends_at, seq LIMIT 1`,
      )[0],
  }
}

/** Which payments to match; an undefined field matches every payment. */
interface PaymentFilter extends PaymentSearch {
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
  const conditions: Condition[] = [
    ['p.parent_id IS NULL AND p.organization_id = ? AND p.mode = ?', organizationId, mode],
  ]
  if (status !== undefined) conditions.push(['p.status = ?', status])
  if (from !== undefined) conditions.push(['p.created_at >= ?', from])
  if (until !== undefined) conditions.push(['p.created_at < ?', until])
  if (text !== undefined) {
    const own = `p.id IN (SELECT payment_id FROM events WHERE id ${HAS_ID})`
    conditions.push([`(${MATCHES_PAYMENT} OR ${own})`, ...searchValues(text), text, text])
  }
  return allOf(conditions)
}

export interface Conditions {
  readonly sql: string
  readonly values: Value[]
}

export type Condition = [string, ...Value[]]

export const allOf = (conditions: readonly Condition[]): Conditions => ({
  sql: conditions.map(([sql]) => sql).join(' AND '),
  values: conditions.flatMap(([, ...values]) => values),
})

/** A page of matching root payments. */
export function paymentPage(database: Database, page: PageOf): Payment[] {
  const { sort, before, after, limit, ...filter } = page
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
  const found = paymentTable(database).all(
    `AS p WHERE ${sql} ${beyond} ORDER BY ${order} LIMIT ?`,
    ...values,
    ...(edge === undefined ? [] : [edge]),
    limit,
  )
  return after === undefined ? found : found.toReversed()
}

/** The number of matching root payments. */
export function paymentCount(database: Database, filter: PaymentFilter): number {
  const { sql, values } = conditionsOf(filter)
  const count = `SELECT count(*) AS n FROM payments AS p WHERE ${sql}`
  return statements(database).all<{ n: number }>(count, ...values)[0]?.n ?? 0
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
  const metadata = containing(JSON.stringify(text).slice(1, -1))
  return [containing(text), text, containing(text), starts, metadata, entryIn(text)]
}

/** `name=value` as an entry of the metadata; null, which matches nothing, without an equals sign. */
function entryIn(text: string): string | null {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) return null
  return containing(`${JSON.stringify(name.trim())}:${JSON.stringify(value.trim())}`)
}

/** Whether the id of an event is a text, or that of one of its deliveries is; it takes the text twice. */
export const HAS_ID = 'IN (SELECT ? UNION ALL SELECT event_id FROM deliveries WHERE id = ?)'

/** The pattern of LIKE for what contains a text; it needs ESCAPE '\\'. */
export const containing = (text: string): string => `%${escaped(text)}%`

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
