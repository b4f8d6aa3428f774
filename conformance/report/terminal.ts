import Table from 'cli-table3'
import picocolors from 'picocolors'
import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { controlsAccepted } from '../case/expect.ts'
import { MOST } from '../diagnose/diagnosis.ts'
import { row, sent } from './rows.ts'
import {
  bySeverity,
  excludedLine,
  groupedByRequirement,
  notesOf,
  sectionsOf,
  tally,
  targetOf,
  withOutcome,
} from './summary.ts'
import { CONCLUSIONS, countOf, HEADINGS, LABELS, OUTCOMES } from './wording.ts'

/** How the text is rendered. */
export interface TerminalOptions {
  /** Colors for a terminal, none for a pipe. */
  readonly color?: boolean
}

type Colors = ReturnType<typeof picocolors.createColors>

/** How many failures of a list without details are named before the rest is only counted. */
const BRIEF = 5

/** The report as text for people: every failure, most severe first, with its fix. */
export function renderTerminal(report: ConformanceReport, { color = false }: TerminalOptions = {}): string {
  const c = picocolors.createColors(color)
  const failed = bySeverity(withOutcome(report, 'failed'))
  // One cause explains nearly every failure: a hundred copies of it would hide both the cause and severer failures.
  const oneCause = almostNothingAccepted(report)
  const isBrief = (verdict: ReportVerdict) =>
    oneCause ? verdict.severity === 'protocol' : isInconclusive(verdict)
  const blocks = [
    heading(report, c),
    sections(report, c),
    list(
      HEADINGS.failures,
      failed.filter((verdict) => !isBrief(verdict)),
      c,
    ),
    briefList(oneCause ? HEADINGS.sameCause : HEADINGS.inconclusive, failed.filter(isBrief), c),
    oneCause ? '' : list(HEADINGS.warnings, withOutcome(report, 'warning'), c),
    reasons(withOutcome(report, 'untested'), c),
    report.diagnosis === null ? '' : c.bold(report.diagnosis),
    notesOf(report).join('\n'),
    conclusion(report, c),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function heading(report: ConformanceReport, c: Colors): string {
  const { hookproof, profile, mode, seed } = report
  return `${c.bold(`hookproof ${hookproof}`)}  ${targetOf(report)}  ${c.dim(`${profile} profile, ${mode} mode, seed ${seed}`)}`
}

function sections(report: ConformanceReport, c: Colors): string {
  const plain = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '' }
  const none = {
    ...plain,
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
  }
  const table = new Table({
    chars: { ...none, right: '', 'right-mid': '', middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right', 'right'],
  })
  const paint = { passed: c.green, failed: c.red, warning: c.yellow, untested: c.yellow }
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

function list(title: string, verdicts: readonly ReportVerdict[], c: Colors): string {
  if (verdicts.length === 0) return ''
  return [c.bold(title), ...groupedByRequirement(verdicts).map((group) => explain(group, c))].join('\n\n')
}

/** Cases of one requirement: the requirement with its impact and fix once, then what each case sent and received. */
function explain(group: readonly ReportVerdict[], c: Colors): string {
  const [first] = group
  if (first === undefined) return ''
  const mark = first.outcome === 'failed' ? c.red('x') : c.yellow('!')
  const inner = { indent: 4, paint: c.dim }
  const lines = group.flatMap((verdict) => [
    `  ${c.bold(verdict.case)}`,
    row(LABELS.sent, sent(verdict), inner),
    ...verdict.problems.flatMap(({ expected, received }) => [
      row(LABELS.expected, expected, inner),
      row(LABELS.received, received, inner),
    ]),
    ...(verdict.reproduce === null ? [] : [row(LABELS.reproduce, verdict.reproduce, inner)]),
  ])
  return [
    `${mark} ${first.spec.number} ${c.bold(first.spec.sentence)} ${c.dim(`[${first.severity ?? 'protocol'}]`)}`,
    row(LABELS.impact, first.impact, { paint: c.dim }),
    row(LABELS.fix, first.fix, { paint: c.dim }),
    ...lines,
  ].join('\n')
}

function almostNothingAccepted({ verdicts, diagnosis }: ConformanceReport): boolean {
  const valid = verdicts.flatMap(({ exchanges }) =>
    exchanges.filter(({ delivery }) => delivery.change === null),
  )
  const wrong = valid.filter(({ answer }) => answer?.status !== 200)
  return diagnosis !== null && wrong.length > 0 && wrong.length >= valid.length * MOST
}

/** Whether the probes were answered as expected, which proves nothing without an accepted control. */
function isInconclusive({ problems }: ReportVerdict): boolean {
  return problems.every(({ expected }) => expected === controlsAccepted.expected)
}

function briefList(title: string, failed: readonly ReportVerdict[], c: Colors): string {
  if (failed.length === 0) return ''
  const shown = failed
    .slice(0, BRIEF)
    .map((verdict) => `  ${verdict.case}: ${verdict.problems[0]?.received ?? ''}`)
  const rest = failed.length - shown.length
  const more = rest > 0 ? [`  and ${rest} more (--report json=report.json lists all)`] : []
  return [c.bold(`${title}: ${failed.length}`), ...shown, ...more].join('\n')
}

function reasons(untested: readonly ReportVerdict[], c: Colors): string {
  if (untested.length === 0) return ''
  const rows = untested.map(({ case: id, reason }) => `  ${id}: ${reason ?? ''}`)
  return [c.bold(HEADINGS.untested), ...rows].join('\n')
}

function conclusion(report: ConformanceReport, c: Colors): string {
  const paint = { conformant: c.green, 'not-conformant': c.red, incomplete: c.yellow }[report.conclusion]
  const excluded = excludedLine(report.excluded)
  const skipped = excluded === '' ? '' : `\n${excluded}`
  return `${paint(c.bold(CONCLUSIONS[report.conclusion]))} ${tally(report)}${c.dim(skipped)}`
}
