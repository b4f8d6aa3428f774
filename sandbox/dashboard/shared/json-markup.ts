import { indentJson } from './indent-json.ts'

/** Formatted JSON as markup with highlighted keys, texts and literals; anything else as escaped text. */
export function jsonMarkup(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
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
