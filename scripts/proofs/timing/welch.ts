/** Two samples beside each other. */
export interface Comparison {
  /** Welch's t: how many of its own standard errors the difference of the means is. */
  readonly t: number
  /** The difference of the means, in the unit of the samples. */
  readonly difference: number
}

/**
 * Welch's t of two samples, after the largest values of both together have been cut: the same limit for each, so that
 * what interrupts the process counts for neither.
 * @param keep the share of all values that stays, from 0 to 1
 * @throws RangeError if a sample has fewer than two values left
 */
export function welch(a: readonly number[], b: readonly number[], keep = 1): Comparison {
  const limit = [...a, ...b].toSorted((x, y) => x - y)[Math.ceil((a.length + b.length) * keep) - 1] ?? 0
  const [one, other] = [momentsOf(a, limit), momentsOf(b, limit)]
  const difference = one.mean - other.mean
  const error = Math.sqrt(one.variance / one.count + other.variance / other.count)
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
  if (kept.length < 2) throw new RangeError('a sample needs two values')
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length
  const squares = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { count: kept.length, mean, variance: squares / (kept.length - 1) }
}
