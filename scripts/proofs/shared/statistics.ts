/**
 * The slope of the straight line that fits some points best, by least squares: units of y per unit of x.
 * @returns NaN for fewer than two different x
 */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}

/** The comparison of two samples. */
export interface Comparison {
  /** Welch's t: the difference of the means, in standard errors of that difference. */
  readonly t: number
  /** The difference of the means, in the unit of the samples. */
  readonly difference: number
}

/**
 * Computes Welch's t of two samples without their largest values. The limit is the same for both, so that interruptions of
 * the process affect neither.
 * @param keep the share of all values to keep, from 0 to 1
 * @throws RangeError if a sample has fewer than two values left
 */
export function welch(a: readonly number[], b: readonly number[], keep = 1): Comparison {
  const limit = [...a, ...b].toSorted((x, y) => x - y)[Math.ceil((a.length + b.length) * keep) - 1] ?? 0
  const [first, second] = [momentsOf(a, limit), momentsOf(b, limit)]
  const difference = first.mean - second.mean
  const error = Math.sqrt(first.variance / first.count + second.variance / second.count)
  return {
    t: error === 0 ? (difference === 0 ? 0 : Math.sign(difference) * Infinity) : difference / error,
    difference,
  }
}

function momentsOf(
  values: readonly number[],
  limit: number,
): { count: number; mean: number; variance: number } {
  const kept = values.filter((value) => value <= limit)
  if (kept.length < 2) throw new RangeError('a sample needs at least two values')
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length
  const squares = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { count: kept.length, mean, variance: squares / (kept.length - 1) }
}
