import { Help } from 'commander'
import type picocolors from 'picocolors'

/** How text is colored and wrapped. */
export interface Style {
  readonly colors: ReturnType<typeof picocolors.createColors>
  /** In characters; undefined for lines of any length. */
  readonly columns: number | undefined
}

const LABEL_WIDTH = 10
/** Text in a narrower column would be unreadable, and is not wrapped. */
const LEAST_COLUMNS = 20

const help = Object.assign(new Help(), { minWidthToWrap: LEAST_COLUMNS })

/** Text wrapped to the terminal, its further lines below the first. */
export function wrapped(text: string, { columns }: Style, indent = 0): string {
  const margin = ' '.repeat(indent)
  const lines = columns === undefined ? text : help.boxWrap(text, columns - indent)
  return lines
    .split('\n')
    .map((line) => `${margin}${line.trimStart()}`)
    .join('\n')
}

/** A labeled line of text, with the values of all such lines in one column: `  Fix       Compare the MACs.` */
export function row(label: string, text: string, style: Style, indent = 2): string {
  const value = wrapped(text, style, indent + LABEL_WIDTH).trimStart()
  return `${' '.repeat(indent)}${style.colors.dim(label.padEnd(LABEL_WIDTH))}${value}`
}

/** As a row, for text to copy, which no line break may split. */
export function unwrappedRow(label: string, text: string, { colors }: Style, indent = 2): string {
  return row(label, text, { colors, columns: undefined }, indent)
}

/** How many lines of the terminal a text takes: one that is longer than the terminal is wide takes several. */
export function height(text: string, columns = Number.POSITIVE_INFINITY): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0)
}
