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
