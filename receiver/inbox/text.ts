/**
 * Encodes text so that any database can store it. A NUL character would truncate it or be rejected, and half a surrogate
 * pair would be replaced, so that two payments could be mistaken for one. Ordinary text stays unchanged.
 */
export const toColumn = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The inverse of `toColumn`. */
export const fromColumn = (column: string): string => JSON.parse(`"${column}"`)
