/** A search in the texts of payments, and a range of time. */
export interface PaymentSearch {
  /** Part of a payment's id, amount, failure code or metadata. */
  readonly text?: string | undefined
  /** Created at this time or later, in milliseconds since 1970. */
  readonly from?: number | undefined
  /** Created before this time. */
  readonly until?: number | undefined
}

/** The search as SQL, with the alias `p` for the payment; {@link searchValues} has its values. */
export const MATCHES_PAYMENT = `(p.id LIKE ? ESCAPE '\\' OR p.amount = ? OR p.failure_code LIKE ? ESCAPE '\\'
  OR p.amount || ' ' || p.currency LIKE ? ESCAPE '\\' OR p.metadata LIKE ? ESCAPE '\\')`

/** The values of {@link MATCHES_PAYMENT}. LIKE ignores the case of ASCII letters. */
export function searchValues(text: string): string[] {
  const starts = `${escaped(text)}%`
  // Metadata is stored as JSON, where quotes and line breaks are escaped.
  const metadata = `%${escaped(JSON.stringify(text).slice(1, -1))}%`
  return [`%${escaped(text)}%`, text, `%${escaped(text)}%`, starts, metadata]
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
