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

const SECRET_NAME = /auth|code|cred|jwt|key|pass|pin|pwd|secret|sess|sig|token/i
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
