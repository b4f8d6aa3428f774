import type { Mode, Payment, PaymentStatus } from '../../model.ts'
import { type PaymentRow, paymentOf } from '../payment-row.ts'
import { query, type Value } from '../rows.ts'
import type { Database } from '../sqlite.ts'
import { HAS_ID, MATCHES_PAYMENT, type PaymentSearch, searchValues } from './search.ts'

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
