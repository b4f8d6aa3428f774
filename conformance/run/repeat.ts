import type { ConformanceReport } from '../../schemas/types.ts'

/**
 * Puts the reports of several runs together: the report of the worst run, which tells where the runs do not agree.
 * Neither the receiver nor the case can be relied on there. One run is left as it is.
 */
export function compareRuns(
  reports: readonly [ConformanceReport, ...ConformanceReport[]],
): ConformanceReport {
  const [first] = reports
  if (reports.length === 1) return first
  const worst = reports.reduce((worse, report) => (badness(report) > badness(worse) ? report : worse), first)
  const unstable = first.verdicts.flatMap(({ case: id }) => {
    const outcomes = reports.flatMap(({ verdicts }) => verdicts.find((one) => one.case === id)?.outcome ?? [])
    return new Set(outcomes).size > 1 ? [{ case: id, outcomes }] : []
  })
  return { ...worst, runs: { count: reports.length, unstable } }
}

function badness({ counts: { failed, untested, warning } }: ConformanceReport): number {
  return failed * 1e6 + untested * 1e3 + warning
}
