import { createHistogram, type Histogram } from './histogram.ts'

/** Percentiles of latencies, in milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p99_9: number
  readonly max: number
}

export function latencyOf(histogram: Histogram): Latency {
  const ms = (share: number): number => histogram.percentile(share) / 1000
  return { p50: ms(50), p90: ms(90), p99: ms(99), p99_9: ms(99.9), max: ms(100) }
}

/** The result of a run. */
export interface LoadResult {
  readonly startedAt: Date
  readonly seconds: number
  readonly answered: number
  readonly perSecond: number
  /** How many deliveries repeated an event. */
  readonly repeated: number
  /** How many deliveries were due but not sent, because no connection was free. */
  readonly unsent: number
  readonly latency: Latency
  /** The latency of every response. */
  readonly histogram: Histogram
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Number of deliveries without a response, by reason. */
  readonly errors: Readonly<Record<string, number>>
}

/** Counts what happened to the deliveries of a run. */
export type Tally = ReturnType<typeof createTally>

export function createTally() {
  const histogram = createHistogram()
  const statuses = new Map<string, number>()
  const errors = new Map<string, number>()
  let repeated = 0
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

  return {
    repeats() {
      repeated += 1
    },
    answered(status: number, ms: number) {
      count(statuses, String(status))
      histogram.record(Math.ceil(ms * 1000))
    },
    lost: (reason: string) => void count(errors, reason),
    result: (startedAt: Date, seconds: number, unsent: number): LoadResult => ({
      startedAt,
      seconds,
      answered: histogram.total(),
      perSecond: histogram.total() / seconds,
      repeated,
      unsent,
      latency: latencyOf(histogram),
      histogram,
      statuses: Object.fromEntries(statuses),
      errors: Object.fromEntries(errors),
    }),
  }
}
