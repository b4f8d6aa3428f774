/** A header value shorter than this hides nothing, and would take common words out of every answer. */
const SECRET_FROM_CHARACTERS = 4
/** The same for one word of a value, such as what follows `Bearer`. */
const WORD_FROM_CHARACTERS = 8

/**
 * Makes text fit for a report (SPEC.md 11): the signing secret is replaced by its name, and of anything that may be a
 * signature no more than the first eight digits stay.
 */
export function redactor(secret: string): (text: string) => string {
  const hide = secretHider(secret)
  return (text) =>
    hide(text)
      .replace(/([0-9a-f]{8})[0-9a-f]{24,}/gi, '$1...')
      .replace(/\b(v\d+=[^,]{8})[^,\s]+/g, '$1...')
      // 32 bytes in base64, or as it is written in URLs: 43 characters, and perhaps one sign of padding.
      .replace(/(?<![\w+/-])([\w+/-]{8})[\w+/-]{35}(?:=|(?![\w+/=-]))/g, '$1...')
}

/** Replaces the signing secret, in any usual spelling, and leaves all else. */
export function secretHider(secret: string): (text: string) => string {
  const bytes = Buffer.from(secret)
  return hider('[signing secret]', [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    // Without its padding, so that it is found with and without.
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ])
}

/** Replaces what the user's own headers say, which a receiver may repeat in its answer. */
export function valueHider(values: readonly string[]): (text: string) => string {
  const words = values.flatMap((value) => value.split(/\s+/))
  return hider('[not shown]', [
    ...values.filter(({ length }) => length >= SECRET_FROM_CHARACTERS),
    ...words.filter(({ length }) => length >= WORD_FROM_CHARACTERS),
  ])
}

function hider(name: string, texts: readonly string[]): (text: string) => string {
  if (texts.length === 0) return (text) => text
  // The longest first: one may be the beginning of another.
  const sources = texts
    .toSorted((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const any = new RegExp(sources.join('|'), 'gi')
  return (text) => text.replace(any, name)
}
