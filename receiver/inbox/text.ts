/**
 * Text as a database can hold it: a NUL character would end it early or be refused, and half a surrogate pair would be
 * replaced, so that two payments might be taken for one. Ordinary text comes out as it went in.
 */
export const toColumn = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The inverse of `toColumn`. */
export const fromColumn = (column: string): string => JSON.parse(`"${column}"`)
