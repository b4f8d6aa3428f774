import type { ConformanceReport } from '../../schemas/types.ts'

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
