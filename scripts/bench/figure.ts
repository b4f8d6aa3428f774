import { median } from '../shared/numbers.ts'

/** One row of the table. */
export interface Row {
  /** What was measured. */
  readonly figure: string
  /** What it was compared with: a lower bound or a peer. */
  readonly baseline: string
  /** The ratio to the baseline; undefined if it could not be measured. */
  readonly ratio: number | undefined
  /** `≤ 1.25` or `≥ 3`, for example; empty if the figure has no target. */
  readonly target: string
  /** The absolute values. */
  readonly details: string
}

/** Measures some rows of the table. */
export interface Figure {
  readonly name: string
  measure(): Promise<Row[]>
}

/** The median of the ratios of each round: other load during a round affects both sides of its ratio. */
export function medianRatio(values: readonly number[], baselines: readonly number[]): number {
  return median(values.map((value, round) => value / (baselines[round] ?? Number.NaN)))
}

/** Whether a ratio meets its target; undefined without a ratio or a target. */
export function meetsTarget({ ratio, target }: Pick<Row, 'ratio' | 'target'>): boolean | undefined {
  const [, sign, bound] = /^([≤≥]) ([0-9.]+)/.exec(target) ?? []
  if (ratio === undefined || bound === undefined) return undefined
  return sign === '≤' ? ratio <= Number(bound) : ratio >= Number(bound)
}
