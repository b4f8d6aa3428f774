import type { Pattern } from '../contracts/payment-service/disclosed/encoded.ts'
import { hider, secretHider } from '../contracts/payment-service/disclosed/hider.ts'
import { secretPattern } from '../contracts/payment-service/disclosed/needles.ts'
import { isShortSecret, LEAST_SECRET_CHARACTERS } from '../contracts/payment-service/secret.ts'

/** No other encoding of a secret that is not short takes fewer characters. */
const LEAST_ENCODED = 2 * LEAST_SECRET_CHARACTERS

/** Shorter header values are not hidden: they protect nothing and would remove common words from every answer. */
const SECRET_FROM_CHARACTERS = 4
/** The same for one word of a value, such as the token after `Bearer`. */
const WORD_FROM_CHARACTERS = 8

/**
 * Redacts captured text, such as an answer, for a report (SPEC.md 11): replaces the signing secret by `[signing secret]`,
 * and keeps only the first eight characters of anything that may be a signature.
 */
export function redactor(secret: string): (text: string) => string {
  const redact = withoutSignatures(secretHider(secret))
  let pattern: Pattern | undefined
  const isThere = (text: string) => (pattern ??= secretPattern(secret)).test(text)
  return (text) => {
    const redacted = redact(text)
    return redacted.length >= LEAST_ENCODED && !isShortSecret(secret) && isThere(redacted)
      ? '[not shown: it contains the signing secret]'
      : redacted
  }
}

/** The same for the suite's own text, such as a URL, an event or an explanation, in which a short secret is just a word. */
export function ownTextRedactor(secret: string): (text: string) => string {
  return withoutSignatures(ownTextHider(secret))
}

function withoutSignatures(hide: (text: string) => string): (text: string) => string {
  return (text) =>
    hide(text)
      .replace(/([0-9a-f]{8})[0-9a-f]{24,}/gi, '$1...')
      .replace(/\b(v\d+=[^,]{8})[^,\s]+/g, '$1...')
      // 32 bytes in base64 or base64url: 43 characters, optionally followed by padding.
      .replace(/(?<![\w+/-])([\w+/-]{8})[\w+/-]{35}(?:=|(?![\w+/=-]))/g, '$1...')
}

/** Replaces the signing secret in the suite's own text, unless it is so short that it occurs there by chance. */
function ownTextHider(secret: string): (text: string) => string {
  return isShortSecret(secret) ? (text) => text : secretHider(secret)
}

/** Replaces the values of the user's own headers, which a receiver may repeat in its answer. */
export function valueHider(values: readonly string[]): (text: string) => string {
  const words = values.flatMap((value) => value.split(/\s+/))
  return hider('[not shown]', [
    ...values.filter(({ length }) => length >= SECRET_FROM_CHARACTERS),
    ...words.filter(({ length }) => length >= WORD_FROM_CHARACTERS),
  ])
}
