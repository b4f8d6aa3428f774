import { HarnessError } from './harness-error.ts'

/** A host with a port, or this machine: what people mean by `localhost:3000/webhooks`. */
const HOST_WITHOUT_SCHEME = /^(?:(?:[a-z0-9.-]+|\[[0-9a-f:.]+\]):\d+(?=[/?#]|$)|localhost(?=[/?#]))/i

/** The text of a URL with its scheme: `localhost:3000/webhooks` becomes `http://localhost:3000/webhooks`. */
export const withScheme = (text: string): string => (HOST_WITHOUT_SCHEME.test(text) ? `http://${text}` : text)

/**
 * Parses an http or https URL; one with a host and a port but no scheme is taken as http.
 *
 * @param option the name of the option that holds the URL, for the error
 * @throws HarnessError `bad_option`; the message never shows a password
 */
export function httpUrl(text: string, option = 'url'): URL {
  const names = [option]
  const whole = withScheme(text)
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw new HarnessError(
      'bad_option',
      `"${option}" must not contain a user name or password: use "headers" with an Authorization header instead`,
      { names: [option, 'headers'] },
    )
  }
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new HarnessError(
      'bad_option',
      `"${option}" must be an http or https URL such as http://localhost:3000/webhooks, not "${withoutCredentials(text)}"`,
      { names },
    )
  }
  return url
}

/** Hides the user and the password of a URL, also of a malformed one: everything before an @. */
export const withoutCredentials = (text: string): string => text.replace(/^.*@/s, '***@')
