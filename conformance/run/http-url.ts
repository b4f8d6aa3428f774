import { HarnessError } from '../errors.ts'

/**
 * Parses an http or https URL.
 *
 * @param option the name of the option that holds the URL, for the error
 * @throws HarnessError `bad_option`; the message never shows a password
 */
export function httpUrl(text: string, option = 'url'): URL {
  const names = [option]
  const url = URL.canParse(text) ? new URL(text) : undefined
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
