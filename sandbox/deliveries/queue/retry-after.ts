// IMF-fixdate, RFC 9110 5.6.7. Date.parse alone accepts far too much.
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Parses the Retry-After header (RFC 9110 10.2.3): whole seconds or an HTTP date.
 * @param value the header value
 * @param now real time in milliseconds, since a receiver does not know the sandbox's clock
 * @returns the wait in milliseconds, 0 for a date in the past; undefined for any other value
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  if (!HTTP_DATE.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
