import type { Value } from '../rows.ts'

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
