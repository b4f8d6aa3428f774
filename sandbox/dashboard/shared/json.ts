import { isDeeper } from '../../http/bodies.ts'

const LONGEST = 256 * 1024
/** How deep JSON is indented: each line of a deeper one starts with that many more spaces. */
const DEEPEST = 32
const MOST_INDENTED = 4

/**
 * Formats JSON with one field a line, in a limited time and size.
 * @returns undefined for other text, and for JSON that is too long or too deep
 */
export function indentJson(text: string): string | undefined {
  const bytes = Buffer.from(text)
  if (bytes.length > LONGEST || isDeeper(bytes, DEEPEST)) return undefined
  try {
    const indented = JSON.stringify(JSON.parse(text), null, 2)
    return indented.length > MOST_INDENTED * text.length ? undefined : indented
  } catch {
    return undefined
  }
}

/** Formatted JSON as markup with highlighted keys, texts and literals; anything else as escaped text. */
export function jsonMarkup(bytes: Uint8Array): string {
  const text = textOf(bytes)
  const formatted = indentJson(text)
  if (formatted === undefined) return escapeHtml(text)
  // Strings first, so that nothing inside them is taken for a literal.
  return formatted.replaceAll(
    /("(?:[^"\\]|\\.)*")(:?)|(true|false|null|-?\d[\d.eE+-]*)|[<>&]/g,
    (match, string?: string, colon?: string, literal?: string) => {
      if (string !== undefined)
        return `<span class="${colon ? 'key' : 'text'}">${escapeHtml(string)}</span>${colon}`
      return literal === undefined ? escapeHtml(match) : `<span class="literal">${literal}</span>`
    },
  )
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** Bytes as text, for display only: deliveries send the bytes. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
