import type { Depth, Entry } from '@hookproof/receiver'
import { oneLine } from '../../shared/text.ts'

/** An entry as printed in JSON, without its body. */
export function entryJson(entry: Entry): Record<string, unknown> {
  const { id, state, attempts, paymentId, name, receivedAt, signedAt, dueAt, lastError, idempotencyKey } =
    entry
  return {
    id,
    state,
    event: name,
    payment_id: paymentId,
    received_at: time(receivedAt),
    signed_at: time(signedAt * 1000),
    attempts,
    due_at: dueAt === 0 ? null : time(dueAt),
    last_error: lastError ?? null,
    idempotency_key: idempotencyKey,
    body_bytes: entry.body.length,
  }
}

/** The entries as a table with headings. */
export function entryTable(entries: readonly Entry[]): string {
  const rows = entries.map(({ id, state, attempts, receivedAt, name, paymentId, lastError = '' }) => [
    id,
    state,
    String(attempts),
    time(receivedAt),
    oneLine(name).slice(0, 40),
    oneLine(paymentId).slice(0, 60),
    oneLine(lastError).slice(0, 80),
  ])
  const table = [['id', 'state', 'attempts', 'received', 'event', 'payment', 'last error'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** The fields of one entry, one per line. */
export function entryText(entry: Entry): string {
  return Object.entries(entryJson(entry))
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(16)}${oneLine(String(value))}\n`)
    .join('')
}

/** A body for a terminal, with control characters escaped: a sender must not be able to control the terminal. */
export function printableBody({ body }: Entry): string {
  return body
    .toString('utf8')
    .replace(/(?![\n\t])\p{C}/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The number of unfinished entries, in one line. */
export function depthText({ pending, processing, dead, oldestPendingMs }: Depth): string {
  const age = oldestPendingMs === undefined ? '' : ` (oldest: ${Math.round(oldestPendingMs / 1000)} s)`
  return `${pending} pending${age}, ${processing} processing, ${dead} dead\n`
}

const time = (ms: number): string => {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString()
}
