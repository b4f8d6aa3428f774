/** One line of the table: what was measured against what, what came out, and what was wanted. */
export interface Row {
  readonly figure: string
  /** The floor or the peer. */
  readonly against: string
  /** The ratio measured; undefined where it could not be. */
  readonly ratio: number | undefined
  /** What is wanted, such as `≤ 1.25` or `≥ 3`; empty where only the figure is of interest. */
  readonly wanted: string
  /** What lies behind the ratio. */
  readonly detail: string
}

/** A measurement of some rows. */
export interface Figure {
  readonly name: string
  measure(): Promise<Row[]>
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** The median of the ratios round by round: what disturbs a whole round disturbs both sides of it. */
export function medianRatio(values: readonly number[], floors: readonly number[]): number {
  return median(values.map((value, round) => value / (floors[round] ?? Number.NaN)))
}

/** Whether a ratio is what was wanted: undefined where nothing was, or where there is no ratio. */
export function reached({ ratio, wanted }: Pick<Row, 'ratio' | 'wanted'>): boolean | undefined {
  const [, sign, bound] = /^([≤≥]) ([0-9.]+)/.exec(wanted) ?? []
  if (ratio === undefined || bound === undefined) return undefined
  return sign === '≤' ? ratio <= Number(bound) : ratio >= Number(bound)
}
