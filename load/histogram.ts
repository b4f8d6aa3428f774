/**
 * The layout of an HDR histogram for latencies from 1 microsecond to 24 hours with 3 significant digits, as other HDR
 * tools compute it: values that share a count differ by less than a thousandth. All histograms have this layout, so any
 * two can be added.
 */
export const LAYOUT = { lowest: 1, highest: 86_400_000_000, digits: 3 } as const

/** 2 × 10^digits, rounded up to a power of two: below it each value has a count of its own. */
const SUB_BUCKETS = 2048
const HALF = SUB_BUCKETS / 2

/** Beyond it numbers in the encoding would not be exact. */
const MOST = 2 ** 52

/** How many counts a histogram has. */
export const COUNTS = indexOf(LAYOUT.highest) + 1

/** Counts of latencies in microseconds. */
export interface Histogram {
  /** Number of latencies. */
  total(): number
  /** Counts a latency in whole microseconds; one above 24 hours counts as 24 hours. */
  record(microseconds: number): void
  /** Adds the counts of another histogram. @throws RangeError when the sum would not be exact */
  add(other: Histogram): void
  /**
   * @param share from 0 to 100
   * @returns the latency in microseconds that at least this share of all latencies does not exceed, to 3 significant
   *   digits and never less than measured; 0 without latencies
   */
  percentile(share: number): number
  /** The counts by index of the layout, up to the last that is not 0. */
  counts(): readonly number[]
}

/**
 * An HDR histogram. That of node:perf_hooks cannot export its counts.
 * @param initial the counts by index of the layout
 * @throws RangeError when their sum would not be exact
 */
export function createHistogram(initial: readonly number[] = []): Histogram {
  const counts = new Float64Array(COUNTS)
  let total = 0

  function increase(index: number, count: number): void {
    counts[index] = (counts[index] ?? 0) + count
    total += count
    if (total >= MOST) throw new RangeError('it holds too many latencies')
  }
  function addCounts(added: readonly number[]): void {
    for (const [index, count] of added.entries()) increase(index, count)
  }
  addCounts(initial)

  return {
    total: () => total,
    record: (microseconds) => increase(indexOf(Math.min(microseconds, LAYOUT.highest)), 1),
    add: (other) => addCounts(other.counts()),
    percentile(share) {
      const rank = Math.max(1, Math.ceil((share / 100) * total))
      let seen = 0
      for (let index = 0; index < COUNTS; index += 1) {
        seen += counts[index] ?? 0
        if (seen >= rank) return highestAt(index)
      }
      return 0
    },
    counts: () => [...counts.subarray(0, counts.findLastIndex((count) => count > 0) + 1)],
  }
}

function indexOf(value: number): number {
  const bucket = bucketOf(value)
  return bucket * HALF + Math.floor(value / 2 ** bucket)
}

/** Each bucket after the first holds twice the range of the one before, at half the resolution. */
function bucketOf(value: number): number {
  return 32 - Math.clz32(Math.floor(value / SUB_BUCKETS))
}

/** The highest value that is counted at an index. */
function highestAt(index: number): number {
  const bucket = Math.max(0, Math.floor(index / HALF) - 1)
  return (index - bucket * HALF + 1) * 2 ** bucket - 1
}
