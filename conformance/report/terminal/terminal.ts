import picocolors from 'picocolors'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { renderFull } from './full.ts'
import { renderShort } from './short.ts'

/** How the text is rendered. */
export interface TerminalOptions {
  /** Colors for a terminal, none for a pipe. */
  readonly color?: boolean
  /** True for at most 40 lines: a card for each cause, and counts of the rest. */
  readonly short?: boolean
  /** The width of the terminal in characters; without it, lines are as long as their text. */
  readonly columns?: number | undefined
}

/** The report as text for people: the conclusion first and last, and between them what to fix, most severe first. */
export function renderTerminal(
  report: ConformanceReport,
  { color = false, short = false, columns }: TerminalOptions = {},
): string {
  const style = { colors: picocolors.createColors(color), columns }
  return short ? renderShort(report, style) : renderFull(report, style)
}
