const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control characters except tab and line feed, characters that change the text direction, lone surrogates. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Escapes text for HTML and SVG, in an element or a quoted attribute. Invisible characters show as their code point. */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => NAMES[character] ?? character)
}

/**
 * Escapes text as one line of Markdown that also allows HTML: no character of it starts a table cell, a code span, a tag,
 * a link or a formula, and no @mention notifies anyone.
 */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replace(/\s+/g, ' ')
    .replace(/(?!: )[^\p{L}\p{N}\p{M} ,.;?%/-]/gu, (character) => `&#${character.codePointAt(0)};`)
    .replace(/www\./gi, (match) => `${match.slice(0, -1)}&#46;`)
    .replaceAll('&#64;', '&#64;<!-- -->')
}

/**
 * Escapes text for a `<code>` element in Markdown. The same as {@link escapeMarkdown}, but web addresses stay readable:
 * nothing in a `<code>` element becomes a link.
 */
export function escapeMarkdownCode(text: string): string {
  return escapeMarkdown(text).replace(/(?<=\bhttps?)&#58;(?=\/\/)/g, ':')
}

function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(INVISIBLE, codePointOf)
}

/** How many bytes of a body are shown beside a problem. */
const SHOWN_BYTES = 300

/**
 * The beginning of a response body on one line, at most 300 bytes: white space becomes one space, other invisible
 * characters show as their code point. It often names the cause of a problem.
 *
 * @param text the body, without secrets
 * @returns undefined when there is nothing to see
 */
export function excerpt(text: string): string | undefined {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, codePointOf)
  if (line === '') return undefined
  const bytes = Buffer.from(line)
  if (bytes.length <= SHOWN_BYTES) return line
  // A cut inside a character would leave a replacement character behind.
  const cut = new TextDecoder().decode(bytes.subarray(0, SHOWN_BYTES), { stream: true })
  return `${cut}...`
}

function codePointOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
