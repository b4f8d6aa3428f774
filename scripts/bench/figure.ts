import { median } from '../shared/numbers.ts'

/** Measures each figure once: that shows that all can be measured, and its figures are rough. */
export const isQuick = process.argv.includes('--quick')

/** How often to measure a figure. @param usual the number without `--quick` */
export const roundsOf = (usual: number): number => (isQuick ? 1 : usual)

/** The version of Node.js that most rows were measured on; those of another say so. */
const USUAL_LINE = '20'

/** @param version of Node.js, such as `v24.1.0` */
const lineOfNode = (version: string): string => /^v(\d+)/.exec(version)?.[1] ?? version

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
 * @param version of Node.js that ran both sides of each row
 */
export function performancePage(rows: readonly Row[], page: string, version = process.version): string {
  const node = lineOfNode(version)
  const side = node === USUAL_LINE ? '' : `, both on Node.js ${node}`
  const measured = new Map(
    rows.map((row) => ({ ...row, baseline: row.baseline + side })).map((row) => [keyOf(row), lineOf(row)]),
  )
  const day = new Date().toISOString().slice(0, 10)
  const machine = `Node.js ${version}, ${process.platform} ${process.arch}, ${day}.`
  const lines = page.split('\n').map((line) => {
    const key = line.split(' | ').slice(0, 2).join(' | ')
    const replacement = measured.get(key)
    measured.delete(key)
    return replacement ?? (line.startsWith(`Node.js v${node}.`) ? machine : line)
  })
  lines.splice(lines.findLastIndex((line) => line.startsWith('|')) + 1, 0, ...measured.values())
  if (!lines.includes(machine)) lines.splice(-1, 0, machine)
  return lines.join('\n')
}

const keyOf = ({ figure, baseline }: Row): string => `| ${figure} | ${baseline}`

function lineOf(row: Row): string {
  const { ratio, target, details } = row
  const verdict = { true: 'met', false: 'missed', undefined: '' }[String(meetsTarget(row))]
  return `${keyOf(row)} | ${[ratio.toFixed(2), target, verdict, details].join(' | ')} |`
}
