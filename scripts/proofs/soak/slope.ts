/**
 * The slope of the straight line that lies nearest to some points, by least squares: units of y for each unit of x.
 * @returns NaN for fewer than two different x
 */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const along = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return along / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}
