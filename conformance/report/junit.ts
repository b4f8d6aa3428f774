import { createRequire } from 'node:module'
import type { Builder, TestSuite } from 'junit-report-builder'
import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { LABELS, OUTCOME_NAMES } from './wording.ts'

/** The report as JUnit XML: one suite for each section of SPEC.md, so that a CI server groups cases by section. */
export function renderJunit(report: ConformanceReport): string {
  // The package's types do not match its exports. It loads slowly, so it is loaded only when needed.
  const builder = (createRequire(import.meta.url)('junit-report-builder') as Builder).newBuilder()
  const suites = new Map<string, TestSuite>()
  for (const verdict of report.verdicts) {
    const suite = suites.get(verdict.section) ?? builder.testSuite().name(verdict.section)
    suites.set(verdict.section, suite)
    const test = suite
      .testCase()
      .className(`hookproof.${verdict.section}`)
      .name(verdict.case)
      .time(Number((verdict.durationMs / 1000).toFixed(4)))
    const known = report.baseline?.known.find((entry) => entry.case === verdict.case)
    const unstable = report.runs?.unstable.find((entry) => entry.case === verdict.case)
    if (unstable !== undefined) {
      test.failure(`unstable: ${unstable.outcomes.join(', ')}`, verdict.level)
      test.standardOutput(cdata(explain(verdict)))
      continue
    }
    switch (verdict.outcome) {
      case 'failed':
        if (known !== undefined) {
          // A known failure does not fail the run, so a CI server must not show it red.
          test.skipped().standardOutput(cdata(`Known failure: ${known.reason}\n${explain(verdict)}`))
          break
        }
        test.failure(comparisons(verdict).join('\n'), verdict.level)
        test.standardOutput(
          cdata(report.diagnosis === null ? explain(verdict) : `${report.diagnosis}\n${explain(verdict)}`),
        )
        break
      case 'untested':
        // A MUST that was not tested is not green.
        if (verdict.level === 'MUST') test.error(cdata(verdict.reason ?? ''), OUTCOME_NAMES.untested)
        else test.skipped().standardOutput(cdata(verdict.reason ?? ''))
        break
      case 'warning':
        test.standardOutput(cdata(explain(verdict)))
        break
      case 'passed':
        break
    }
  }
  return builder.build()
}

function explain(verdict: ReportVerdict): string {
  const { spec, impact, fix, reproduce } = verdict
  return [
    `SPEC.md ${spec.number}: ${spec.sentence}`,
    ...comparisons(verdict),
    `${LABELS.impact}: ${impact}`,
    `${LABELS.fix}: ${fix}`,
    ...(reproduce === null ? [] : [`${LABELS.reproduce}: ${reproduce}`]),
  ].join('\n')
}

function comparisons({ problems }: ReportVerdict): string[] {
  return problems.map(
    ({ expected, received }) => `${LABELS.expected}: ${expected}. ${LABELS.received}: ${received}.`,
  )
}

/** The XML writer splits only the first end of a CDATA section, so a text must not contain any. */
function cdata(text: string): string {
  return text.replaceAll(']]>', ']] >')
}
