import type { Depth, Entry, EntryState } from '../inbox.ts'
import { fromColumn } from './text.ts'

/** An entry as a row of a database. Postgres returns large integers as text. */
export interface Row {
  id: number | string
  key: string
  payment_id: string
  event: string
  body: Uint8Array
  signed_at: number | string
  received_at: number | string
  state: EntryState
  attempts: number
  due_at: number | string
  last_error: string | null
}

/** Converts a row to an entry. */
export function entryOf(row: Row): Entry {
  return {
    id: String(row.id),
    idempotencyKey: row.key,
    paymentId: fromColumn(row.payment_id),
    name: fromColumn(row.event),
    body: Buffer.from(row.body.buffer, row.body.byteOffset, row.body.byteLength),
    signedAt: Number(row.signed_at),
    receivedAt: Number(row.received_at),
    state: row.state,
    attempts: row.attempts,
    dueAt: Number(row.due_at),
    lastError: row.last_error === null ? undefined : fromColumn(row.last_error),
  }
}

/** The entries of claimed rows, earliest due first: RETURNING does not guarantee an order. */
export const claimedEntries = (rows: readonly Row[]): Entry[] =>
  rows.map(entryOf).toSorted((a, b) => a.dueAt - b.dueAt || Number(a.id) - Number(b.id))

/** Whether text is the id of an entry in its only spelling: a database would read `01` and `1e0` as 1. */
export const isId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id)

/** Counts the unfinished entries in their index, so that millions of handled entries do not slow it down. */
export const selectDepth = (table: string): string => `
  SELECT state, count, (SELECT received_at FROM ${table} WHERE id = oldest) AS oldest_received_at FROM (
    SELECT state, count(*) AS count, min(id) AS oldest FROM ${table} WHERE state <> 'done' GROUP BY state
  ) AS unfinished`

/** A row of `selectDepth`. */
export interface DepthRow {
  state: EntryState
  count: number | string
  oldest_received_at: number | string
}

export function depthOf(rows: readonly DepthRow[], now: number): Depth {
  const countOf = (state: EntryState) => Number(rows.find((row) => row.state === state)?.count ?? 0)
  const pending = rows.find(({ state }) => state === 'pending')
  return {
    pending: countOf('pending'),
    processing: countOf('processing'),
    dead: countOf('dead'),
    oldestPendingMs: pending && now - Number(pending.oldest_received_at),
  }
}
