import { median } from '../shared/numbers.ts'

/** Measures each figure once: that shows that all can be measured, and its figures are rough. */
export const isQuick = process.argv.includes('--quick')

/** How often to measure a figure. @param usual the number without `--quick` */
export const roundsOf = (usual: number): number => (isQuick ? 1 : usual)

/** One row of the table. */
export interface Row {
  /** What was measured. */
  readonly figure: string
  /** What it was compared with: a lower bound or a peer. */
  readonly baseline: string
  /** The ratio to the baseline. */
  readonly ratio: number
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

/** Whether a ratio meets its target; undefined without a target. */
export function meetsTarget({ ratio, target }: Pick<Row, 'ratio' | 'target'>): boolean | undefined {
  const [, sign, bound] = /^([≤≥]) ([0-9.]+)/.exec(target) ?? []
  if (bound === undefined) return undefined
  return sign === '≤' ? ratio <= Number(bound) : ratio >= Number(bound)
}

/**
 * Writes rows into docs/performance.md, and the machine and the day.
 * @param page the present page; its text and the rows that were not measured again are kept
 */
export function performancePage(rows: readonly Row[], page: string): string {
  const measured = new Map(rows.map((row) => [keyOf(row), lineOf(row)]))
  const lines = page.split('\n').map((line) => {
    const key = line.split(' | ').slice(0, 2).join(' | ')
    const replacement = measured.get(key)
    measured.delete(key)
    if (replacement !== undefined) return replacement
    if (!line.startsWith('Node.js v')) return line
    const day = new Date().toISOString().slice(0, 10)
    return `Node.js ${process.version}, ${process.platform} ${process.arch}, ${day}.`
  })
  lines.splice(lines.findLastIndex((line) => line.startsWith('|')) + 1, 0, ...measured.values())
  return lines.join('\n')
}

const keyOf = ({ figure, baseline }: Row): string => `| ${figure} | ${baseline}`

function lineOf(row: Row): string {
  const { ratio, target, details } = row
  const verdict = { true: 'met', false: 'missed', undefined: '' }[String(meetsTarget(row))]
  return `${keyOf(row)} | ${[ratio.toFixed(2), target, verdict, details].join(' | ')} |`
}
