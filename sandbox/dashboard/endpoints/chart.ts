import type { AttemptResult } from '../../store/health.ts'

const MOST_BARS = 24

/**
 * Divides attempts into periods of equal length, the bars of the charts.
 * @param attempts oldest first
 * @returns all periods from the first attempt to the last, so that the axis is a scale of time
 */
export function barsOf(attempts: readonly AttemptResult[]) {
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (first === undefined || last === undefined) return []
  const width = Math.max(1000, Math.ceil((last.at - first.at + 1) / MOST_BARS))
  const count = Math.floor((last.at - first.at) / width) + 1
  const periods = Array.from({ length: count }, (): AttemptResult[] => [])
  for (const attempt of attempts) periods[Math.floor((attempt.at - first.at) / width)]?.push(attempt)
  return periods.map((own, index) => ({
    at: first.at + index * width,
    attempts: own.length,
    succeeded: own.filter(isSuccess).length,
    latencyMs: medianOf(latenciesOf(own)),
  }))
}

/**
 * The top of an axis of whole numbers, whose half is also whole unless it is 1: the next even number up to 10, then the next
 * 1, 2 or 5 times a power of ten.
 * @param most at least 0
 */
export function axisTop(most: number): number {
  if (most > 1 && most < 10) return 2 * Math.ceil(most / 2)
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most) ?? most
}

/** The summary above the charts; undefined without attempts. */
export function summaryOf(attempts: readonly AttemptResult[]) {
  if (attempts.length === 0) return undefined
  const latencies = latenciesOf(attempts)
  return {
    attempts: attempts.length,
    successPercent: Math.floor((attempts.filter(isSuccess).length / attempts.length) * 1000) / 10,
    medianMs: medianOf(latencies),
    p95Ms: quantile(latencies, 0.95),
  }
}

const MOST_REASONS = 5

/**
 * Why attempts failed, the most frequent reason first: the status, or what went wrong without a response.
 * @param attempts oldest first
 */
export function reasonsOf(attempts: readonly AttemptResult[]) {
  const reasons = new Map<string, { text: string; attempts: number; lastAt: number }>()
  for (const attempt of attempts) {
    if (isSuccess(attempt)) continue
    const { status, error, detail, at: lastAt } = attempt
    const text = status === null ? (detail ?? error ?? 'no response') : `status ${status}`
    reasons.set(text, { text, attempts: (reasons.get(text)?.attempts ?? 0) + 1, lastAt })
  }
  return [...reasons.values()].toSorted((a, b) => b.attempts - a.attempts).slice(0, MOST_REASONS)
}

const isSuccess = ({ status }: AttemptResult): boolean => status !== null && status >= 200 && status < 300

/** Of the responses alone: how long a name was looked up in vain, or a timeout was, is no latency of the receiver. */
const latenciesOf = (attempts: readonly AttemptResult[]): number[] =>
  attempts.flatMap(({ status, durationMs }) => (status === null ? [] : [durationMs]))

const medianOf = (numbers: readonly number[]) => quantile(numbers, 0.5)

function quantile(numbers: readonly number[], share: number): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
