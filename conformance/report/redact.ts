import type { Pattern } from '../contracts/encoded.ts'
import { hider, isShortSecret, LEAST_SECRET_CHARACTERS, secretHider } from '../contracts/secret.ts'
import { secretPattern } from '../contracts/webhook/disclosures.ts'

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
export function ownTextHider(secret: string): (text: string) => string {
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

/** A parameter of a query. */
export interface Parameter {
  /** Its name as the URL has it, percent-encoded. */
  readonly name: string
  /** The name and the value as the URL has them. */
  readonly raw: string
  readonly value: string
  /** Whether the value may be a secret, so that no report shows it. */
  readonly hidden: boolean
}

const SECRET_NAME = /auth|code|cred|jwt|key|pass|pin|pwd|secret|session|sig|token/i
/** A few characters, or words such as `staging-eu`; anything else may be random. */
const PLAIN_VALUE = /^(?:[\w.-]{0,7}|[a-z]{1,20}(?:[-_.][a-z]{1,20}){0,3})$/i

/** The query of a URL, byte for byte. */
export function queryOf({ search }: URL): Parameter[] {
  if (search === '') return []
  return search
    .slice(1)
    .split('&')
    .map((raw) => {
      const [name = '', ...rest] = raw.split('=')
      const value = rest.join('=')
      return {
        name,
        raw,
        value,
        hidden: rest.length > 0 && (SECRET_NAME.test(name) || !PLAIN_VALUE.test(value)),
      }
    })
}

/** The URL as a report shows it: a value of the query that may be a secret is not shown. */
export function shownUrl(url: URL): string {
  const parameters = queryOf(url).map(({ name, raw, hidden }) => (hidden ? `${name}=[not shown]` : raw))
  return `${url.origin}${url.pathname}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`
}

/** The values that a report does not show, as sent and decoded: a receiver may repeat either. */
export function hiddenValues(url: URL): string[] {
  return queryOf(url).flatMap(({ value, hidden }) => {
    if (!hidden) return []
    const decoded = new URLSearchParams(`v=${value}`).get('v') ?? value
    return decoded === value ? [value] : [value, decoded]
  })
}
