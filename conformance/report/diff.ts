import type { ConformanceReport } from '../../schemas/types.ts'
import type { Outcome } from '../contracts/model.ts'
import { titleOf } from './conclusion.ts'
import { OUTCOME_NAMES } from './wording.ts'

/** The outcomes of a case in two reports; null where the report does not have the case. */
interface Change {
  readonly case: string
  readonly before: Outcome | null
  readonly after: Outcome | null
}

/** What changed from one report to the next. A failed case that only the newer one has is in two lists. */
export interface ReportDiff {
  /** Failed now but not before; any of these makes the command exit with code 1. */
  readonly failures: readonly Change[]
  /** Passed now, and failed or had a warning before. */
  readonly fixed: readonly Change[]
  /** Has another outcome, but is neither a new failure nor fixed. */
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
  const both = changes.filter(({ before, after }) => before !== null && after !== null)
  const isNewFailure = ({ before, after }: Change) => after === 'failed' && before !== 'failed'
  const isFixed = ({ before, after }: Change) =>
    after === 'passed' && (before === 'failed' || before === 'warning')
  return {
    failures: changes.filter(isNewFailure),
    fixed: both.filter(isFixed),
    changed: both.filter(
      (change) => change.before !== change.after && !isNewFailure(change) && !isFixed(change),
    ),
    added: changes.filter(({ before }) => before === null),
    removed: changes.filter(({ after }) => after === null),
  }
}

/** The difference as text for people. */
export function renderDiff(older: ConformanceReport, newer: ConformanceReport): string {
  const { failures, fixed, changed, added, removed } = diffReports(older, newer)
  const lists = [
    list('New failures', failures),
    list('Fixed', fixed),
    list('Changed', changed),
    list('Added', added),
    list('Removed', removed),
  ].filter((block) => block !== '')
  const blocks = [
    `${nameOf(older)} -> ${nameOf(newer)}`,
    ...differentRuns(older, newer),
    ...(lists.length === 0 ? ['No outcome changed.'] : lists),
  ]
  return `${blocks.join('\n\n')}\n`
}

function outcomesOf({ verdicts }: ConformanceReport): Map<string, Outcome> {
  return new Map(verdicts.map(({ case: id, outcome }) => [id, outcome]))
}

function nameOf(report: ConformanceReport): string {
  return titleOf(report)
}

/** Another profile or mode has other cases, which does not mean that the receiver changed. */
function differentRuns(older: ConformanceReport, newer: ConformanceReport): string[] {
  const of = ({ profile, mode }: ConformanceReport) => `${profile} profile in ${mode} mode`
  return of(older) === of(newer) ? [] : [`Different runs: ${of(older)}, then ${of(newer)}.`]
}

function list(title: string, changes: readonly Change[]): string {
  if (changes.length === 0) return ''
  const width = Math.max(...changes.map(({ case: id }) => id.length))
  const rows = changes.map((change) => `  ${change.case.padEnd(width)}  ${describe(change)}`)
  return [`${title}: ${changes.length}`, ...rows].join('\n')
}

function describe({ before, after }: Change): string {
  const name = (outcome: Outcome) => OUTCOME_NAMES[outcome]
  if (before === null) return after === null ? '' : name(after)
  return after === null ? `${name(before)} before` : `${name(before)} -> ${name(after)}`
}

/**
 * Combines the reports of several runs: the report of the worst run, with the cases on which the runs disagree. Such a
 * verdict is not reliable. A single report is returned unchanged.
 */
export function compareRuns(
  reports: readonly [ConformanceReport, ...ConformanceReport[]],
): ConformanceReport {
  const [first] = reports
  if (reports.length === 1) return first
  const worst = reports.reduce((worse, report) => (badness(report) > badness(worse) ? report : worse), first)
  const unstable = first.verdicts.flatMap(({ case: id }) => {
    const outcomes = reports.flatMap(
      ({ verdicts }) => verdicts.find((verdict) => verdict.case === id)?.outcome ?? [],
    )
    return new Set(outcomes).size > 1 ? [{ case: id, outcomes }] : []
  })
  return { ...worst, runs: { count: reports.length, unstable } }
}

function badness({ counts: { failed, inconclusive, untested, warning } }: ConformanceReport): number {
  return failed * 1e6 + (inconclusive + untested) * 1e3 + warning
}
