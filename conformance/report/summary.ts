import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { SEVERITIES } from '../case/model.ts'

/** The conclusions as a person reads them. */
export const CONCLUSIONS = {
  conformant: 'Conformant',
  'not-conformant': 'Not conformant',
  incomplete: 'Incomplete',
} as const satisfies Record<ConformanceReport['conclusion'], string>

/** The outcomes, in the order in which they are counted. */
export const OUTCOMES = ['passed', 'failed', 'warning', 'untested'] as const satisfies readonly Outcome[]

type Outcome = ReportVerdict['outcome']

/** How the cases of one section came out. */
export interface SectionCounts {
  readonly id: string
  readonly title: string
  readonly counts: Readonly<Record<Outcome, number>>
}

/** What the conclusion holds for, and the numbers behind it: `in the core profile: 3 passed of 3 cases in 0.20 s.` */
export function tally(report: ConformanceReport): string {
  const { counts, profile, selection } = report
  const total = report.verdicts.length
  const narrowed = selection.only.length + selection.skip.length > 0
  const scope = narrowed
    ? `in the ${total === 1 ? 'case' : `${total} cases`} selected`
    : `in the ${profile} profile`
  const parts = OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
    (outcome) => `${counts[outcome]} ${outcome}`,
  )
  const seconds = (report.durationMs / 1000).toFixed(2)
  return `${scope}: ${parts.join(', ')} of ${total} ${total === 1 ? 'case' : 'cases'} in ${seconds} s.`
}

/** How many cases lie outside the run, and why; empty when none does. */
export function excludedLine(excluded: ConformanceReport['excluded']): string {
  if (excluded.length === 0) return ''
  const reasons = [...new Set(excluded.map(({ reason }) => reason))].map((reason) => {
    const count = excluded.filter((one) => one.reason === reason).length
    return `${count} ${count === 1 ? reason : reason.replace(/^(belong|need)s/, '$1')}`
  })
  return `Left out: ${reasons.join(', ')}.`
}

/** What several runs and a baseline came to, one line each: it changes no verdict, but the exit status. */
export function notesOf({ runs, baseline }: ConformanceReport): string[] {
  const unstable = runs?.unstable.map((one) => `${one.case} (${one.outcomes.join(', ')})`)
  const told: [readonly string[] | undefined, string][] = [
    [unstable, `Unstable in ${runs?.count} runs, so not to be relied on`],
    [baseline?.known.map((one) => `${one.case} (${one.reason})`), 'Known failures, which the baseline bears'],
    [baseline?.new, 'Failures that the baseline does not know'],
    [baseline?.stale, 'Entries of the baseline that no longer fail'],
    [baseline?.expired, 'Entries of the baseline whose last day is over'],
  ]
  const lines = told.flatMap(([cases = [], what]) =>
    cases.length === 0 ? [] : [`${what}: ${cases.join(', ')}.`],
  )
  return runs !== undefined && runs.unstable.length === 0
    ? [`${runs.count} runs agree on every verdict.`, ...lines]
    : lines
}

/** What was graded, without its address when the run itself started it. */
export function targetOf({ target }: ConformanceReport): string {
  return target.started ? 'a receiver started for this run' : target.url
}

/** Of equal severity, these sections come first: what fails there is a cause, and much else follows from it. */
const CAUSES: readonly string[] = ['refusals', 'time-window', 'body-bytes', 'duplicates', 'effects']

/** The verdicts, those that touch security first, then money, then the rest; in each the broad causes first. */
export function bySeverity(verdicts: readonly ReportVerdict[]): ReportVerdict[] {
  const rank = ({ severity, section }: ReportVerdict) => {
    const grave = severity === null ? SEVERITIES.length : SEVERITIES.indexOf(severity)
    const cause = CAUSES.indexOf(section)
    return grave * (CAUSES.length + 1) + (cause === -1 ? CAUSES.length : cause)
  }
  return verdicts.toSorted((a, b) => rank(a) - rank(b))
}

/** Verdicts on one requirement that say the same of it, so that it need be said only once. */
export function alike(verdicts: readonly ReportVerdict[]): ReportVerdict[][] {
  const groups = new Map<string, ReportVerdict[]>()
  for (const verdict of verdicts) {
    const { outcome, severity, spec, impact, fix } = verdict
    const key = [outcome, severity, spec.number, impact, fix].join('\n')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [verdict])
    else group.push(verdict)
  }
  return [...groups.values()]
}

/** The sections in the order of the report, each with its counts. */
export function sectionsOf({ verdicts }: ConformanceReport): SectionCounts[] {
  return [...new Set(verdicts.map(({ section }) => section))].map((id) => {
    const counts = { passed: 0, failed: 0, warning: 0, untested: 0 }
    for (const { section, outcome } of verdicts) if (section === id) counts[outcome] += 1
    return { id, title: capitalised(id), counts }
  })
}

/** `signature-header` as `Signature header`. */
export function capitalised(id: string): string {
  const words = id.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
