const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control characters but for tab and line break, what turns the direction of writing, halves of a surrogate pair. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text for HTML and SVG, in an element or a quoted attribute. What can not be seen is written as its code. */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (sign) => NAMES[sign] ?? sign)
}

/**
 * One line of text for Markdown that also allows HTML: no sign of it starts a table cell, a code span, a tag, a link or
 * a formula, and nobody is notified.
 */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replace(/\s+/g, ' ')
    .replace(/(?!: )[^\p{L}\p{N}\p{M} ,.;?%/-]/gu, (sign) => `&#${sign.codePointAt(0)};`)
    .replace(/www\./gi, (start) => `${start.slice(0, -1)}&#46;`)
    .replaceAll('&#64;', '&#64;<!-- -->')
}

function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
}
