import { causeOf, causeUrlOf } from '../conformance/report/causes.ts'
import { sent } from '../conformance/report/summary.ts'
import { printable } from '../conformance/report/text.ts'
import { LABELS } from '../conformance/report/wording.ts'
import type { ConformanceReport, ReportVerdict } from '../schemas/types.ts'

/**
 * The message of a test: the requirement, what was sent, expected and received, the impact and the fix. It contains no
 * secret, since the report contains none. The cause that explains it comes first, and
 * of the failures that one cause explains, all but the first are brief.
 *
 * @param remains whether the receiver is still there after the tests, so that the command to reproduce works
 */
export function explain(verdict: ReportVerdict, report: ConformanceReport, remains: boolean): string {
  return printable(explained(verdict, report, remains))
}

function explained(verdict: ReportVerdict, report: ConformanceReport, remains: boolean): string {
  const { spec, problems, impact, fix, reproduce } = verdict
  const cause = causeOf(verdict.case, report)
  const url = causeUrlOf(verdict.case, report)
  if (cause !== undefined && followsFromCause(verdict, report)) {
    // The title of the test has the sentence; Vitest shows equal messages only once.
    return `${cause}\n${row(LABELS.received, problems[0]?.received ?? '')}`
  }
  return [
    ...(cause === undefined ? [] : [cause]),
    `${spec.number} ${spec.sentence}`,
    row(LABELS.sent, sent(verdict)),
    ...problems.flatMap(({ expected, received, body }) => [
      row(LABELS.expected, expected),
      row(LABELS.received, received),
      ...(body === undefined ? [] : [row(LABELS.body, body)]),
    ]),
    row(LABELS.impact, impact),
    row(LABELS.fix, fix),
    ...(url === undefined ? [] : [row(LABELS.docs, url)]),
    ...(remains && reproduce !== null ? [row(LABELS.reproduce, reproduce)] : []),
  ].join('\n')
}

/** Whether an earlier failure has the same cause, and so its details. */
function followsFromCause(
  { case: id }: ReportVerdict,
  { verdicts, causes = [] }: ConformanceReport,
): boolean {
  const cause = causes.find(({ cases }) => cases.includes(id))
  const first = verdicts.find(
    ({ outcome, case: id }) => outcome === 'failed' && cause?.cases.includes(id) === true,
  )
  return first !== undefined && first.case !== id
}

/** A labeled line, with the values of all such lines in one column: `  Fix       Compare the MACs.` */
function row(label: string, text: string): string {
  return `  ${label.padEnd(10)}${text}`
}
