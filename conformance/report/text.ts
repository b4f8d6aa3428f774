const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control characters except tab and line feed, characters that change the text direction, lone surrogates. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** What a text has that needs a closer look. Most have nothing of it, and this test is much faster than the patterns around it. */
const UNUSUAL = /[^\t\n -~]|::|##/

/**
 * What a CI server takes for a command in the log of a job: `::` at the start of a line, and anywhere `##[`, the old form
 * of the same, `##vso[` of Azure Pipelines and `##teamcity[` of TeamCity.
 */
const COMMAND = /(?<=^|\s):(?=:)|#(?=#(?:\[|vso\[|teamcity\[))/gi

/** Escapes text for HTML and SVG, in an element or a quoted attribute. Invisible characters show as their code point. */
export function escapeHtml(text: string): string {
  return visible(text)
    .replace(/[&<>"']/g, (character) => NAMES[character] ?? character)
    .replace(COMMAND, (character) => `&#${character.codePointAt(0)};`)
}

/**
 * Plain text that is safe to print, although a stranger wrote it: invisible characters, such as those of terminal escapes, show as
 * their code point, and what a CI server would take for a command is split by a space.
 */
export function printable(text: string): string {
  return UNUSUAL.test(text) ? visible(text).replace(COMMAND, '$& ') : text
}

/** The same data, with every text in it {@link printable}. */
export function allPrintable<T>(data: T): T {
  if (typeof data === 'string') return printable(data) as T
  if (Array.isArray(data)) return data.map(allPrintable) as T
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, allPrintable(value)])) as T
}

/** JSON with every character escaped that {@link printable} changes; it is read as before. */
export function printableJson(json: string): string {
  return json
    .replace(INVISIBLE, (character) => character.replace(/[^]/g, escapeUnit))
    .replace(/#(?=#(?:\[|vso\[|teamcity\[))/gi, escapeUnit)
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** How many characters of a text are kept that may quote a receiver. */
const MOST_CHARACTERS = 2_000

/** A text that may quote a receiver, on one line and not endless. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}...` : line
}

/**
 * What has a meaning in a line of Markdown. First what the page of a code host makes more of: an entity, a formula, a mention, an issue, the
 * start of an address, an emoji, and what a CI server takes for a command. Then signs that a backslash makes text, at the
 * start of the line some others too.
 */
const MARKUP =
  /(&(?=[#\w])|\$|@(?=\w)|#(?=\d)|:(?=\/\/|[a-z+-][\w+-]*:)|(?<=^|\s):(?=:)|(?<=\bwww)\.)|[\\`*[\]<>~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|^[#+=-]|(?<=^\d{1,9})[.)](?=\s|$)/giu

/**
 * Escapes text as one line of Markdown, which stays readable unrendered: no character of it starts a code span, a tag, a
 * link or a formula, and no @mention notifies anyone. In a cell of a table, `|` has a meaning too.
 */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replace(/\s+/g, ' ')
    .replace(MARKUP, (sign, reference: string | undefined) =>
      reference === undefined ? `\\${sign}` : `&#${sign.codePointAt(0)};${sign === '@' ? '<!-- -->' : ''}`,
    )
}

/** Text as a code span of Markdown, on one line. */
export function markdownCode(text: string): string {
  const line = printable(text).replace(/\s+/g, ' ').trim()
  const fence = '`'.repeat(
    (line.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0) + 1,
  )
  const space = /^`|`$/.test(line) ? ' ' : ''
  return line === '' ? '' : `${fence}${space}${line}${space}${fence}`
}

/** The beginning of a text, with an ellipsis where it was cut. */
export const shortened = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters).trimEnd()}...` : text

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
