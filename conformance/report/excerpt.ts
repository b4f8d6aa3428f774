/** How many bytes of a body are shown beside a problem. */
const SHOWN_BYTES = 300

/** White space in a row, and other control characters, characters that change the text direction, lone surrogates. */
const SPACES = /\s+/g
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu

/**
 * The beginning of a response body on one line, at most 300 bytes: white space becomes one space, other invisible
 * characters show as their code point. It often names the cause of a problem.
 *
 * @param text the body, without secrets
 * @returns undefined when there is nothing to see
 */
export function excerpt(text: string): string | undefined {
  const line = text.replace(SPACES, ' ').trim().replace(INVISIBLE, codePointOf)
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
