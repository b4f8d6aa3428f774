import type { RawResponse } from '../shared/raw-connection.ts'
import type { IdPool } from './ids.ts'
import type { GeneratedRequest } from './requests.ts'

/** Counts responses, collects what must not happen, and learns ids. */
export function judging(pool: IdPool) {
  const counts = new Map<string, number>()
  const violations: string[] = []
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
  function judge(request: GeneratedRequest, response: RawResponse): void {
    const { line, size, mayBeClosed } = request
    if (response.status === undefined) {
      count('closed')
      if (!mayBeClosed)
        violations.push(`no response (${response.error}): ${line.slice(0, 300)}, body of ${size} bytes`)
      return
    }
    count(`${Math.floor(response.status / 100)}xx`)
    if (response.status >= 500) {
      const start = request.bytes.toString('latin1').slice(0, 500)
      violations.push(`status ${response.status}: ${JSON.stringify(start)}, body of ${size} bytes`)
    }
    pool.learn(response.head)
    pool.learn(response.body.slice(0, 20_000))
  }
  return { counts, count, violations, judge }
}
