import Table from 'cli-table3'
import picocolors from 'picocolors'
import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { controlsAccepted } from '../case/expect.ts'
import { MOST } from '../diagnose/diagnosis.ts'
import {
  alike,
  bySeverity,
  CONCLUSIONS,
  capitalised,
  excludedLine,
  notesOf,
  tally,
  targetOf,
} from './summary.ts'

/** How the text is drawn. */
export interface TerminalOptions {
  /** Colours for a terminal, none for a pipe. */
  readonly color?: boolean
}

type Colors = ReturnType<typeof picocolors.createColors>

/** The report as text for a person: what failed, worst first, and how to mend it. */
export function renderTerminal(report: ConformanceReport, { color = false }: TerminalOptions = {}): string {
  const c = picocolors.createColors(color)
  const failed = bySeverity(report.verdicts.filter(({ outcome }) => outcome === 'failed'))
  const warning = report.verdicts.filter(({ outcome }) => outcome === 'warning')
  const untested = report.verdicts.filter(({ outcome }) => outcome === 'untested')
  // One cause explains nearly everything: a hundred copies of the same failure would hide it, and the graver ones.
  const brief = hardlyAccepted(report)
  const [aside, told] = divide(failed, (verdict) =>
    brief ? verdict.severity === 'protocol' : isUnjudged(verdict),
  )
  const blocks = [
    heading(report, c),
    sections(report, c),
    list('Failed, the gravest first', told, c),
    briefly(
      brief
        ? 'Failed too, most likely for the same cause'
        : 'Not judged, since the genuine delivery beside was not accepted',
      aside,
      c,
    ),
    brief ? '' : list('Advice: right, but could be better', warning, c),
    untested.length === 0
      ? ''
      : reasons(
          'Untested',
          untested.map(({ case: id, reason }) => [id, reason ?? '']),
          c,
        ),
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

function sections({ verdicts }: ConformanceReport, c: Colors): string {
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
  for (const name of new Set(verdicts.map(({ section }) => section))) {
    const own = verdicts.filter(({ section }) => section === name)
    const cell = (outcome: ReportVerdict['outcome'], paint: (text: string) => string) => {
      const count = own.filter((verdict) => verdict.outcome === outcome).length
      return count === 0 ? '' : paint(`${count} ${outcome}`)
    }
    table.push([
      capitalised(name),
      cell('passed', c.green),
      cell('failed', c.red),
      cell('warning', c.yellow),
      cell('untested', c.yellow),
    ])
  }
  return table
    .toString()
    .split('\n')
    .map((line) => `  ${line.trimEnd()}`)
    .join('\n')
}

function list(title: string, verdicts: readonly ReportVerdict[], c: Colors): string {
  if (verdicts.length === 0) return ''
  return [c.bold(title), ...alike(verdicts).map((group) => explain(group, c))].join('\n\n')
}

/** Failed cases of one requirement, in the order in which a person asks: what is right, so what, what now, what came. */
function explain(group: readonly ReportVerdict[], c: Colors): string {
  const [first] = group
  if (first === undefined) return ''
  const mark = first.outcome === 'failed' ? c.red('x') : c.yellow('!')
  const lines = group.flatMap((verdict) => [
    `  ${c.bold(verdict.case)}`,
    row('Sent', sent(verdict), c),
    ...verdict.problems.flatMap(({ expected, received }) => [
      row('Expected', expected, c),
      row('Came back', received, c),
    ]),
    ...(verdict.reproduce === null ? [] : [row('Again', verdict.reproduce, c)]),
  ])
  return [
    `${mark} ${first.spec.number} ${c.bold(first.spec.sentence)} ${c.dim(`[${first.severity ?? 'protocol'}]`)}`,
    `  ${c.dim('Means')} ${first.impact}`,
    `  ${c.dim('Guidance')}  ${first.fix}`,
    ...lines,
  ].join('\n')
}

function row(name: string, text: string, c: Colors): string {
  return `    ${c.dim(name.padEnd(10))}${text}`
}

function sent({ exchanges }: ReportVerdict): string {
  const parts = exchanges
    .filter(({ role }) => role !== 'control')
    .map(({ delivery, label }) => `${delivery.method} ${delivery.event ?? 'a body'}, ${label}`)
  const unique = [...new Set(parts)].map((part) => {
    const times = parts.filter((other) => other === part).length
    return times === 1 ? part : `${part} (${times} times)`
  })
  const more = unique.length > 3 ? `; and ${unique.length - 3} more` : ''
  return `${unique.slice(0, 3).join('; then ')}${more}`
}

function hardlyAccepted({ verdicts, diagnosis }: ConformanceReport): boolean {
  const genuine = verdicts.flatMap(({ exchanges }) =>
    exchanges.filter(({ delivery }) => delivery.change === null),
  )
  const wrong = genuine.filter(({ answer }) => answer?.status !== 200)
  return diagnosis !== null && wrong.length > 0 && wrong.length >= genuine.length * MOST
}

/** The deliveries in question got the right answer, but it proves nothing. */
function isUnjudged({ problems }: ReportVerdict): boolean {
  return problems.every(({ expected }) => expected === controlsAccepted.expected)
}

function divide<T>(values: readonly T[], test: (value: T) => boolean): [T[], T[]] {
  return [values.filter(test), values.filter((value) => !test(value))]
}

function briefly(title: string, failed: readonly ReportVerdict[], c: Colors): string {
  if (failed.length === 0) return ''
  const shown = failed
    .slice(0, 5)
    .map((verdict) => `  ${verdict.case}: ${verdict.problems[0]?.received ?? ''}`)
  const rest = failed.length - shown.length
  const more = rest > 0 ? [`  and ${rest} more, which --report json=report.json lists`] : []
  return [c.bold(`${title}: ${failed.length}`), ...shown, ...more].join('\n')
}

function reasons(title: string, rows: readonly (readonly [string, string])[], c: Colors): string {
  return [c.bold(title), ...rows.map(([id, reason]) => `  ${id}: ${reason}`)].join('\n')
}

function conclusion(report: ConformanceReport, c: Colors): string {
  const paint = { conformant: c.green, 'not-conformant': c.red, incomplete: c.yellow }[report.conclusion]
  const excluded = excludedLine(report.excluded)
  const outside = excluded === '' ? '' : `\n${excluded}`
  return `${paint(c.bold(CONCLUSIONS[report.conclusion]))} ${tally(report)}${c.dim(outside)}`
}
