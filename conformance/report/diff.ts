import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { grade } from './grade.ts'
import { CONCLUSIONS } from './summary.ts'

type Outcome = ReportVerdict['outcome']

/** A case in two reports; null in the one that does not have it. */
interface Change {
  readonly case: string
  readonly before: Outcome | null
  readonly after: Outcome | null
}

/** What changed from one report to the next. A case that is new and fails stands in two lists. */
export interface ReportDiff {
  /** Fails now, and did not before: the reason for exit code 1. */
  readonly failures: readonly Change[]
  /** Failed or was warning, and passes now. */
  readonly mended: readonly Change[]
  /** Came out another way, but is neither a new failure nor mended. */
  readonly changed: readonly Change[]
  readonly added: readonly Change[]
  readonly removed: readonly Change[]
}

/** Compares two reports case by case, in the order of the newer one. */
export function diffReports(older: ConformanceReport, newer: ConformanceReport): ReportDiff {
  const [before, after] = [outcomesOf(older), outcomesOf(newer)]
  const changes = [...new Set([...after.keys(), ...before.keys()])].map((id) => ({
    case: id,
    before: before.get(id) ?? null,
    after: after.get(id) ?? null,
  }))
  const both = changes.filter((one) => one.before !== null && one.after !== null)
  const isNewFailure = (one: Change) => one.after === 'failed' && one.before !== 'failed'
  const isMended = (one: Change) =>
    one.after === 'passed' && (one.before === 'failed' || one.before === 'warning')
  return {
    failures: changes.filter(isNewFailure),
    mended: both.filter(isMended),
    changed: both.filter((one) => one.before !== one.after && !isNewFailure(one) && !isMended(one)),
    added: changes.filter((one) => one.before === null),
    removed: changes.filter((one) => one.after === null),
  }
}

/** The difference as text for a person. */
export function renderDiff(older: ConformanceReport, newer: ConformanceReport): string {
  const { failures, mended, changed, added, removed } = diffReports(older, newer)
  const lists = [
    list('New failures', failures),
    list('Mended', mended),
    list('Changed', changed),
    list('Added', added),
    list('Removed', removed),
  ].filter((block) => block !== '')
  const blocks = [
    `${nameOf(older)} -> ${nameOf(newer)}`,
    ...differentRuns(older, newer),
    ...(lists.length === 0 ? ['No case came out another way.'] : lists),
  ]
  return `${blocks.join('\n\n')}\n`
}

function outcomesOf({ verdicts }: ConformanceReport): Map<string, Outcome> {
  return new Map(verdicts.map(({ case: id, outcome }) => [id, outcome]))
}

function nameOf(report: ConformanceReport): string {
  return `${CONCLUSIONS[report.conclusion]}, grade ${grade(report).letter}`
}

/** Another profile or mode has other cases, which is no change of the receiver. */
function differentRuns(older: ConformanceReport, newer: ConformanceReport): string[] {
  const of = ({ profile, mode }: ConformanceReport) => `${profile} profile in ${mode} mode`
  return of(older) === of(newer) ? [] : [`Different runs: ${of(older)}, then ${of(newer)}.`]
}

function list(title: string, changes: readonly Change[]): string {
  if (changes.length === 0) return ''
  const width = Math.max(...changes.map(({ case: id }) => id.length))
  const rows = changes.map((one) => `  ${one.case.padEnd(width)}  ${words(one)}`)
  return [`${title}: ${changes.length}`, ...rows].join('\n')
}

function words({ before, after }: Change): string {
  if (before === null) return after ?? ''
  return after === null ? `${before} before` : `${before} -> ${after}`
}
