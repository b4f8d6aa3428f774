import Table from 'cli-table3'
import picocolors from 'picocolors'
import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { openingOf } from './causes.ts'
import { BRIEF, failuresOf, shortened } from './failures.ts'
import { snippetOf } from './frameworks/frameworks.ts'
import { row, sent } from './rows.ts'
import {
  baselineLine,
  excludedLine,
  groupedByRequirement,
  notesOf,
  reasonsFor,
  sectionsOf,
  tally,
  targetOf,
  untestedEffects,
  withOutcome,
} from './summary.ts'
import { CONCLUSIONS, countOf, HEADINGS, LABELS, OUTCOMES } from './wording.ts'

/** How the text is rendered. */
export interface TerminalOptions {
  /** Colors for a terminal, none for a pipe. */
  readonly color?: boolean
  /** True to show the details of a few failures only, for a screen. */
  readonly short?: boolean
}

type Colors = ReturnType<typeof picocolors.createColors>

/** The report as text for people: every failure, most severe first, with its fix. */
export function renderTerminal(
  report: ConformanceReport,
  { color = false, short = false }: TerminalOptions = {},
): string {
  const c = picocolors.createColors(color)
  const { detailed, brief, briefTitle, oneCause } = failuresOf(report)
  const warnings = oneCause ? [] : withOutcome(report, 'warning')
  const failures = short ? shortened(detailed, report) : { detailed, others: [] }
  const hasManyWarnings = short && warnings.length > BRIEF
  const opening = openingOf(report)
  const blocks = [
    opening === undefined
      ? ''
      : [
          c.bold(opening.headline),
          ...opening.rows.map(([label, text]) => row(label, text, { paint: c.dim })),
        ].join('\n'),
    snippet(report, c),
    heading(report, c),
    sections(report, c),
    list(HEADINGS.failures, failures.detailed, c),
    briefList(`${HEADINGS.moreFailures}: ${failures.others.length}`, failures.others, c),
    briefList(briefTitle, brief, c),
    hasManyWarnings
      ? briefList(`${HEADINGS.warnings}: ${warnings.length}`, warnings, c)
      : list(HEADINGS.warnings, warnings, c),
    withoutResult(report, 'inconclusive', c),
    withoutResult(report, 'untested', c),
    report.diagnosis === null || opening !== undefined ? '' : c.bold(report.diagnosis),
    notesOf(report).join('\n'),
    conclusion(report, c),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** How to read the raw body in the receiver's framework. */
function snippet({ framework }: ConformanceReport, c: Colors): string {
  if (framework === undefined) return ''
  const { title, code } = snippetOf(framework)
  return [c.bold(`${HEADINGS.snippet} ${title}`), ...code.split('\n').map((line) => `    ${line}`)].join('\n')
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

function list(title: string, verdicts: readonly ReportVerdict[], c: Colors): string {
  if (verdicts.length === 0) return ''
  return [c.bold(title), ...groupedByRequirement(verdicts).map((group) => explain(group, c))].join('\n\n')
}

/** Cases of one requirement: each impact and fix once, then what each of their cases sent and received. */
function explain(groups: readonly ReportVerdict[][], c: Colors): string {
  const [first] = groups.flat()
  if (first === undefined) return ''
  const mark = first.outcome === 'failed' ? c.red('x') : c.yellow('!')
  return [
    `${mark} ${first.spec.number} ${c.bold(first.spec.sentence)} ${c.dim(`[${first.severity ?? 'protocol'}]`)}`,
    ...groups.flatMap((group) => explainGroup(group, c)),
  ].join('\n')
}

function explainGroup(group: readonly ReportVerdict[], c: Colors): string[] {
  const [first] = group
  if (first === undefined) return []
  const inner = { indent: 4, paint: c.dim }
  return [
    row(LABELS.impact, first.impact, { paint: c.dim }),
    row(LABELS.fix, first.fix, { paint: c.dim }),
    ...group.flatMap((verdict) => [
      `  ${c.bold(verdict.case)}`,
      row(LABELS.sent, sent(verdict), inner),
      ...verdict.problems.flatMap(({ expected, received, body }, index) => [
        ...(expected === verdict.problems[index - 1]?.expected
          ? []
          : [row(LABELS.expected, expected, inner)]),
        row(LABELS.received, received, inner),
        ...(body === undefined ? [] : [row(LABELS.body, body, inner)]),
      ]),
      ...(verdict.reproduce === null ? [] : [row(LABELS.reproduce, verdict.reproduce, inner)]),
    ]),
  ]
}

function briefList(title: string, failed: readonly ReportVerdict[], c: Colors): string {
  if (failed.length === 0) return ''
  const shown = failed
    .slice(0, BRIEF)
    .map((verdict) => `  ${verdict.case}: ${verdict.problems[0]?.received ?? ''}`)
  const rest = failed.length - shown.length
  const more =
    rest > 0 ? [`  and ${rest} more (--report html=report.html has all of them with their details)`] : []
  return [c.bold(title), ...shown, ...more].join('\n')
}

function withoutResult(report: ConformanceReport, outcome: 'inconclusive' | 'untested', c: Colors): string {
  const reasons = reasonsFor(report, outcome)
  if (reasons.length === 0) return ''
  const rows = reasons.map(({ reason, cases }) => {
    const more = cases.length > BRIEF ? ` and ${cases.length - BRIEF} more` : ''
    return `  ${reason}: ${cases.slice(0, BRIEF).join(', ')}${more}`
  })
  return [c.bold(`${HEADINGS[outcome]}: ${report.counts[outcome]}`), ...rows].join('\n')
}

function conclusion(report: ConformanceReport, c: Colors): string {
  const paint = { conformant: c.green, 'not-conformant': c.red, incomplete: c.yellow }[report.conclusion]
  const lines = [untestedEffects(report), excludedLine(report.excluded)].filter((line) => line !== '')
  const verdict = `${paint(c.bold(CONCLUSIONS[report.conclusion]))} ${tally(report)}`
  const scope = lines.length === 0 ? verdict : `${verdict}${c.dim(`\n${lines.join('\n')}`)}`
  // Last, since it is what the exit code says.
  const baseline = baselineLine(report)
  return baseline === '' ? scope : `${scope}\n${c.bold(baseline)}`
}
