import picocolors from 'picocolors'
import type { ConformanceReport, ReportVerdict } from '../../../schemas/types.ts'
import { openingOf, remarkOf } from '../causes.ts'
import { examplesFor } from '../examples.ts'
import { bySeverity, groupedByRequirement, notesOf, withOutcome } from '../summary.ts'
import { allPrintable, printable } from '../text.ts'
import { HEADINGS, LABELS } from '../wording.ts'
import {
  conclusion,
  exampleBlock,
  exampleHint,
  heading,
  row,
  type Style,
  sections,
  shownCase,
  verdictLine,
  withoutResult,
  wrapped,
} from './parts.ts'
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
  const notes = notesOf(report).map(printable)
  const shown = allPrintable({ ...report, verdicts: report.verdicts.map(asShown) })
  return short ? renderShort(shown, notes, style) : renderFull(shown, notes, style)
}

/** Nothing is shown of what a case that passed has sent and received. */
const asShown = (verdict: ReportVerdict): ReportVerdict =>
  verdict.outcome === 'passed' ? { ...verdict, exchanges: [] } : verdict

/** Every failure and warning with its details, most severe first. */
function renderFull(report: ConformanceReport, notes: readonly string[], style: Style): string {
  const { colors: c } = style
  const opening = openingOf(report)
  const remark = remarkOf(report)
  const blocks = [
    opening === undefined
      ? verdictLine(report, style)
      : [
          verdictLine(report, style, opening.headline),
          ...opening.rows.map(([label, text]) => row(label, text, style)),
        ].join('\n'),
    ...examplesFor(report).map((example) => exampleBlock(example, style)),
    exampleHint(report),
    heading(report, style),
    sections(report, style),
    list(HEADINGS.failures, bySeverity(withOutcome(report, 'failed')), style),
    list(HEADINGS.warnings, bySeverity(withOutcome(report, 'warning')), style),
    withoutResult(report, 'inconclusive', style, Number.POSITIVE_INFINITY),
    withoutResult(report, 'untested', style, Number.POSITIVE_INFINITY),
    remark === null ? '' : wrapped(c.bold(remark), style),
    notes.join('\n'),
    conclusion(report, style),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function list(title: string, verdicts: readonly ReportVerdict[], style: Style): string {
  if (verdicts.length === 0) return ''
  return [
    style.colors.bold(title),
    ...groupedByRequirement(verdicts).map((group) => explain(group, style)),
  ].join('\n\n')
}

/** Cases of one requirement: each impact and fix once, then what each of their cases sent and received. */
function explain(groups: readonly ReportVerdict[][], style: Style): string {
  const [first] = groups.flat()
  if (first === undefined) return ''
  const { colors: c } = style
  const mark = first.outcome === 'failed' ? c.red('x') : c.yellow('!')
  return [
    wrapped(
      `${mark} ${first.spec.number} ${c.bold(first.spec.sentence)} ${c.dim(`[${first.severity ?? 'protocol'}]`)}`,
      style,
    ),
    ...groups.flatMap((group) => explainGroup(group, style)),
  ].join('\n')
}

function explainGroup(group: readonly ReportVerdict[], style: Style): string[] {
  const [first] = group
  if (first === undefined) return []
  return [
    row(LABELS.impact, first.impact, style),
    row(LABELS.fix, first.fix, style),
    ...group.flatMap((verdict) => [`  ${style.colors.bold(verdict.case)}`, ...shownCase(verdict, style, 4)]),
  ]
}
