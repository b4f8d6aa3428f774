import { MOST } from '../conformance/diagnose/diagnosis.ts'
import { row, sent } from '../conformance/report/rows.ts'
import { LABELS } from '../conformance/report/wording.ts'
import type { ConformanceReport, ReportVerdict } from '../schemas/types.ts'

/**
 * The message of a test: the requirement, what was sent, expected and received, the impact and the fix. It contains no
 * secret, since the report contains none. When one cause explains nearly every failure, that cause comes first, and the
 * failures that follow from it are brief except for the first.
 *
 * @param remains whether the receiver is still there after the tests, so that the command to reproduce works
 */
export function explain(verdict: ReportVerdict, report: ConformanceReport, remains: boolean): string {
  const { spec, problems, impact, fix, reproduce } = verdict
  const cause = report.diagnosis
  if (cause !== null && followsFromCause(verdict, report)) {
    // The title of the test has the sentence; Vitest shows equal messages only once.
    return `${cause}\n${row(LABELS.received, problems[0]?.received ?? '')}`
  }
  return [
    ...(cause === null ? [] : [cause]),
    `${spec.number} ${spec.sentence}`,
    row(LABELS.sent, sent(verdict)),
    ...problems.flatMap(({ expected, received, body }) => [
      row(LABELS.expected, expected),
      row(LABELS.received, received),
      ...(body === undefined ? [] : [row(LABELS.body, body)]),
    ]),
    row(LABELS.impact, impact),
    row(LABELS.fix, fix),
    ...(remains && reproduce !== null ? [row(LABELS.reproduce, reproduce)] : []),
  ].join('\n')
}

function followsFromCause(verdict: ReportVerdict, { verdicts }: ConformanceReport): boolean {
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
  const inconclusive = verdicts.filter(({ outcome }) => outcome === 'inconclusive')
  // A failure more severe than a rejected delivery has its own cause.
  return (
    failed.length + inconclusive.length >= verdicts.length * MOST &&
    verdict !== failed[0] &&
    verdict.severity === 'protocol'
  )
}
