import type { AttemptResult } from '../../store/queries/endpoint-history.ts'

/** One bar of the charts: the attempts of a period. */
export interface Bar {
  /** Start of the period, in milliseconds since 1970. */
  readonly at: number
  readonly attempts: number
  readonly succeeded: number
  /** The median, in milliseconds. */
  readonly latencyMs: number
}

const MOST_BARS = 24

/** Divides attempts into periods of equal length. @param attempts oldest first @returns the periods that have attempts */
export function barsOf(attempts: readonly AttemptResult[]): Bar[] {
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (first === undefined || last === undefined) return []
  const width = Math.max(1000, Math.ceil((last.at - first.at + 1) / MOST_BARS))
  const periods = new Map<number, AttemptResult[]>()
  for (const attempt of attempts) {
    const period = Math.floor((attempt.at - first.at) / width)
    periods.set(period, [...(periods.get(period) ?? []), attempt])
  }
  return [...periods].map(([period, own]) => ({
    at: first.at + period * width,
    attempts: own.length,
    succeeded: own.filter(isSuccess).length,
    latencyMs: medianOf(own.map(({ durationMs }) => durationMs)),
  }))
}

/** The summary above the charts; undefined without attempts. */
export function summaryOf(attempts: readonly AttemptResult[]) {
  if (attempts.length === 0) return undefined
  const durations = attempts.map(({ durationMs }) => durationMs)
  return {
    attempts: attempts.length,
    successPercent: Math.floor((attempts.filter(isSuccess).length / attempts.length) * 1000) / 10,
    medianMs: medianOf(durations),
    p95Ms: quantile(durations, 0.95),
  }
}

const isSuccess = ({ status }: AttemptResult): boolean => status !== null && status >= 200 && status < 300

const medianOf = (numbers: readonly number[]): number => quantile(numbers, 0.5)

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
