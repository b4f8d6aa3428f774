import { createHistogram } from 'node:perf_hooks'

/** Longer latencies, in microseconds, count as this one: 24 hours. */
const LONGEST = 86_400_000_000

/** Counts what happened to the deliveries of a run. */
export type Tally = ReturnType<typeof createTally>

/** The result of a run. */
export type LoadResult = ReturnType<Tally['result']>

export function createTally() {
  const histogram = createHistogram({ highest: LONGEST, figures: 3 })
  const percentile = (share: number): number => histogram.percentile(share) / 1000
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
      histogram.record(Math.min(Math.max(1, Math.ceil(ms * 1000)), LONGEST))
    },
    lost: (reason: string) => void count(errors, reason),
    /** @param unsent how many deliveries were due but not sent, because no connection was free */
    result: (startedAt: Date, seconds: number, unsent: number) => ({
      startedAt,
      seconds,
      answered: histogram.count,
      perSecond: histogram.count / seconds,
      /** How many deliveries repeated an event. */
      repeated,
      unsent,
      /** Percentiles, in milliseconds. */
      latency: {
        p50: percentile(50),
        p90: percentile(90),
        p99: percentile(99),
        p99_9: percentile(99.9),
        max: percentile(100),
      },
      /** Number of responses by status. */
      statuses: Object.fromEntries(statuses),
      /** Number of deliveries without a response, by reason. */
      errors: Object.fromEntries(errors),
    }),
  }
}
