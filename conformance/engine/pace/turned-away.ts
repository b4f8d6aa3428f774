import type { Answer } from '../exchange.ts'

/** Whether this is the answer of a rate limiter or of a ban list: it says nothing about the delivery. */
export function turnsAway({ status, headers }: Answer): boolean {
  const hasRetryAfter = headers.some(([name]) => name.toLowerCase() === 'retry-after')
  return status === 429 || status === 403 || (status === 503 && hasRetryAfter)
}
