import type { ConformanceReport } from '../schemas/types.ts'

/** What several runs of the same cases came to. */
export interface Repeated {
  /** The report of the worst run. */
  readonly report: ConformanceReport
  /** Cases whose verdicts differ between runs: neither the receiver nor the case can be relied on there. */
  readonly unstable: readonly string[]
}

/** Puts the reports of several runs together. There is at least one. */
export function compareRuns(reports: readonly [ConformanceReport, ...ConformanceReport[]]): Repeated {
  const [first] = reports
  const outcomes = new Map<string, Set<string>>()
  for (const { verdicts } of reports) {
    for (const { case: id, outcome } of verdicts)
      outcomes.set(id, (outcomes.get(id) ?? new Set()).add(outcome))
  }
  const worst = reports.reduce((worse, report) => (badness(report) > badness(worse) ? report : worse), first)
  return { report: worst, unstable: [...outcomes].flatMap(([id, seen]) => (seen.size > 1 ? [id] : [])) }
}

function badness({ counts: { failed, untested, advised } }: ConformanceReport): number {
  return failed * 1e6 + untested * 1e3 + advised
}
