import { createRequire } from 'node:module'
import type { Builder, TestSuite } from 'junit-report-builder'
import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'

/** The report as JUnit XML: a suite for each section of SPEC.md, so that a CI server groups by section. */
export function renderJunit(report: ConformanceReport): string {
  // Its types describe another export than the module has, and it is slow to load: so not before it is needed.
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
    const borne = report.baseline?.known.find((one) => one.case === verdict.case)
    const differs = report.runs?.unstable.find((one) => one.case === verdict.case)
    if (differs !== undefined) {
      test.failure(`unstable: ${differs.outcomes.join(', ')}`, verdict.level)
      test.standardOutput(text(explain(verdict)))
      continue
    }
    switch (verdict.outcome) {
      case 'failed':
        if (borne !== undefined) {
          // The run passes with it, so a CI server must not show it red.
          test.skipped().standardOutput(text(`Known failure: ${borne.reason}\n${explain(verdict)}`))
          break
        }
        test.failure(
          verdict.problems.map(({ expected, received }) => `${expected}; got ${received}`).join('\n'),
          verdict.level,
        )
        test.standardOutput(
          text(report.diagnosis === null ? explain(verdict) : `${report.diagnosis}\n${explain(verdict)}`),
        )
        break
      case 'untested':
        // A MUST that could not be tested is not green.
        if (verdict.level === 'MUST') test.error(text(verdict.reason ?? ''), 'untested')
        else test.skipped().standardOutput(text(verdict.reason ?? ''))
        break
      case 'warning':
        test.standardOutput(text(explain(verdict)))
        break
      case 'passed':
        break
    }
  }
  return builder.build()
}

function explain({ spec, problems, impact, fix, reproduce }: ReportVerdict): string {
  return [
    `SPEC.md ${spec.number}: ${spec.sentence}`,
    ...problems.map(({ expected, received }) => `Expected: ${expected}. Got: ${received}.`),
    `Consequence: ${impact}`,
    `Guidance: ${fix}`,
    ...(reproduce === null ? [] : [`Again: ${reproduce}`]),
  ].join('\n')
}

/** The writer splits the end of a CDATA section where it comes first and no further, so none may stand in a text. */
function text(text: string): string {
  return text.replaceAll(']]>', ']] >')
}
