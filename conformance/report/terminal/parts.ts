import Table from 'cli-table3'
import { Help } from 'commander'
import type picocolors from 'picocolors'
import type { ConformanceReport, ReportVerdict } from '../../../schemas/types.ts'
import { bundledLine, notShown, tally, verdictOf } from '../conclusion.ts'
import { type Example, exampleCommand } from '../examples.ts'
import { grade } from '../grade.ts'
import {
  baselineLine,
  contractName,
  hasGrade,
  reasonsFor,
  receiverName,
  sectionsOf,
  sent,
} from '../summary.ts'
import { CONCLUSIONS, countOf, HEADINGS, LABELS, namesIn, OUTCOMES } from '../wording.ts'

/** How text is colored and wrapped. */
export interface Style {
  readonly colors: ReturnType<typeof picocolors.createColors>
  /** In characters; undefined for lines of any length. */
  readonly columns: number | undefined
}

const LABEL_WIDTH = 10
/** Text in a narrower column would be unreadable, and is not wrapped. */
const LEAST_COLUMNS = 20
/** How many reasons are named for which cases have no result. */
const SHOWN_REASONS = 5

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

/** The beginning of a text. */
export function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}...` : text
}

/** How many lines of the terminal a text takes: one that is longer than the terminal is wide takes several. */
export function height(text: string, columns = Number.POSITIVE_INFINITY): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0)
}

/** The first line: conclusion, grade, and the causes or the counts. */
export function verdictLine(report: ConformanceReport, style: Style, opening?: string): string {
  const line = `${verdictOf(report, opening)} ${bundledLine(report)}`.trimEnd()
  return wrapped(style.colors.bold(painted(report, style)(line)), style)
}

/** What was graded, and how. */
export function heading(report: ConformanceReport, { colors: c }: Style): string {
  const { hookproof, profile, mode, seed } = report
  return `${c.bold(`hookproof ${hookproof}`)}  ${receiverName(report)}  ${c.dim(`${profile} profile, contract ${contractName(report)}, ${mode} mode, seed ${seed}`)}`
}

/** The counts of each section. */
export function sections(report: ConformanceReport, { colors: c }: Style): string {
  const sides = ['top', 'bottom', 'left', 'mid', 'right']
  const corners = ['top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left', 'bottom-right']
  const inner = ['left-mid', 'mid-mid', 'right-mid']
  const none = Object.fromEntries([...sides, ...corners, ...inner].map((name) => [name, '']))
  const table = new Table({
    chars: { ...none, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: ['left', ...OUTCOMES.map(() => 'right' as const)],
  })
  const paint = {
    passed: c.green,
    failed: c.red,
    warning: c.yellow,
    inconclusive: c.yellow,
    untested: c.yellow,
  }
  for (const { title, counts } of sectionsOf(report)) {
    const cells = OUTCOMES.map((outcome) =>
      counts[outcome] === 0 ? '' : paint[outcome](countOf(outcome, counts[outcome])),
    )
    table.push([title, ...cells])
  }
  return table
    .toString()
    .split('\n')
    .map((line) => `  ${line.trimEnd()}`)
    .join('\n')
}

/** Code that helps, unwrapped: it is there to be copied. */
export function exampleBlock({ title, code }: Example, { colors: c }: Style): string {
  const lines = code.split('\n').map((line) => `    ${line.replaceAll('\t', '    ')}`)
  return [c.bold(`${HEADINGS.example} ${title}`), ...lines].join('\n')
}

/** The command that prints code for another framework; not wrapped, because it is there to be copied. */
export function exampleHint(report: ConformanceReport): string {
  const example = exampleCommand(report)
  return example === undefined ? '' : `${example.heading}: ${example.command}`
}

/** What a case sent and received, with so many characters of the body, and how to send it again. */
export function shownCase(
  verdict: ReportVerdict,
  style: Style,
  indent: number,
  shown = Number.POSITIVE_INFINITY,
): string[] {
  return [
    row(LABELS.sent, sent(verdict), style, indent),
    ...verdict.problems.flatMap(({ expected, received, body }, index) => [
      ...(expected === verdict.problems[index - 1]?.expected
        ? []
        : [row(LABELS.expected, expected, style, indent)]),
      row(LABELS.received, received, style, indent),
      ...(body === undefined ? [] : [row(LABELS.body, cut(body, shown), style, indent)]),
    ]),
    ...(verdict.reproduce === null ? [] : [unwrappedRow(LABELS.reproduce, verdict.reproduce, style, indent)]),
    ...(verdict.docsUrl === undefined ? [] : [unwrappedRow(LABELS.docs, verdict.docsUrl, style, indent)]),
  ]
}

/** The cases without a result, by reason. @param most how many are named for each reason */
export function withoutResult(
  report: ConformanceReport,
  outcome: 'inconclusive' | 'untested',
  style: Style,
  most = SHOWN_REASONS,
): string {
  const reasons = reasonsFor(report, outcome)
  if (reasons.length === 0) return ''
  const rows = reasons.map(({ reason, cases }) => wrapped(`${reason}: ${namesIn(cases, most)}`, style, 2))
  return [style.colors.bold(`${HEADINGS[outcome]}: ${report.counts[outcome]}`), ...rows].join('\n')
}

/** The last lines: conclusion, counts and grade, what was not shown, and what the exit code says. */
export function conclusion(report: ConformanceReport, style: Style): string {
  const { colors: c } = style
  const name = painted(report, style)(c.bold(CONCLUSIONS[report.conclusion]))
  const remarks = notShown(report)
  return [
    wrapped(`${name} ${tally(report)}${hasGrade(report) ? ` Grade ${grade(report).letter}.` : ''}`, style),
    ...remarks.map((line) => c.dim(wrapped(line, style))),
    // Last, since it is what the exit code says.
    ...[bundledLine(report), baselineLine(report)].flatMap((line) =>
      line === '' ? [] : [c.bold(wrapped(line, style))],
    ),
  ].join('\n')
}

function painted({ conclusion: name }: ConformanceReport, { colors: c }: Style): (text: string) => string {
  return { conformant: c.green, 'not-conformant': c.red, incomplete: c.yellow }[name]
}
