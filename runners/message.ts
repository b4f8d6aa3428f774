import { MOST } from '../conformance/diagnose/diagnosis.ts'
import type { ConformanceReport, ReportVerdict } from '../schemas/types.ts'

/**
 * One verdict for a person: what the contract asks for, what was sent and came back, what that means and how to mend it.
 * The report holds no secret, and so neither does this. Where one cause explains nearly every failure, that is said
 * first, and all that follow from it but the first are brief.
 *
 * @param lasting whether the receiver is there after the tests: only then does the command that sends it again help
 */
export function explain(verdict: ReportVerdict, report: ConformanceReport, lasting: boolean): string {
  const { spec, problems, impact, fix, reproduce } = verdict
  const cause = report.diagnosis
  if (cause !== null && isOneOfMany(verdict, report)) {
    // The title of the test has the sentence; equal messages are shown once by Vitest.
    return `${cause}\n${row('Came back', problems[0]?.received ?? '')}`
  }
  return [
    ...(cause === null ? [] : [cause]),
    `${spec.number} ${spec.sentence}`,
    row('Sent', sent(verdict)),
    ...problems.flatMap(({ expected, received }) => [row('Expected', expected), row('Came back', received)]),
    row('Means', impact),
    row('Mend', fix),
    ...(lasting && reproduce !== null ? [row('Again', reproduce)] : []),
  ].join('\n')
}

function isOneOfMany(verdict: ReportVerdict, { verdicts }: ConformanceReport): boolean {
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
  // What is graver than a refused delivery has a cause of its own.
  return failed.length >= verdicts.length * MOST && verdict !== failed[0] && verdict.severity === 'protocol'
}

function sent({ exchanges }: ReportVerdict): string {
  const parts = exchanges
    .filter(({ role }) => role !== 'control')
    .map(({ delivery, label }) => `${delivery.method} ${delivery.event ?? 'a body'}, ${label}`)
  const kinds = [...new Set(parts)].map((part) => {
    const times = parts.filter((other) => other === part).length
    return times === 1 ? part : `${part} (${times} times)`
  })
  const [first = 'nothing', ...others] = kinds
  return others.length === 0 ? first : `${first}; and ${others.length} more`
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(10)}${text}`
}
