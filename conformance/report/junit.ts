import { createRequire } from 'node:module'
import type * as Xml from 'xmlbuilder'
import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { causeOf, causeUrlOf, openingOf } from './causes.ts'
import { allPrintable } from './text.ts'
import { LABELS, OUTCOME_NAMES } from './wording.ts'

/** What JUnit says about a case; at most one of `failure`, `error` and `skipped` is set. */
interface Result {
  readonly failure?: Problem
  readonly error?: Problem
  readonly skipped?: { readonly message: string }
  readonly output?: string
}

interface Problem {
  readonly message?: string
  readonly type: string
}

/** A case, and what JUnit says about it. */
interface TestCase extends Result {
  readonly verdict: ReportVerdict
}

/** The report as JUnit XML: one suite for each section of SPEC.md, so that a CI server groups cases by section. */
export function renderJunit(received: ConformanceReport): string {
  const report = allPrintable(received)
  // Loaded only when needed, because loading takes time.
  const { create } = createRequire(import.meta.url)('xmlbuilder') as typeof Xml
  const tests = report.verdicts.map((verdict) => ({ verdict, ...resultOf(verdict, report) }))
  const suites = new Map<string, TestCase[]>()
  for (const test of tests) {
    const { section } = test.verdict
    suites.set(section, [...(suites.get(section) ?? []), test])
  }
  // What remains are characters that XML forbids, such as U+FFFF.
  const root = create('testsuites', { encoding: 'UTF-8', invalidCharReplacement: '' })
  const opening = openingOf(report)
  root.att({ ...(opening !== undefined && { name: `hookproof: ${opening.headline}` }), ...counts(tests) })
  for (const [section, ofSection] of suites) {
    const suite = root.ele('testsuite', { name: section, ...counts(ofSection) })
    for (const test of ofSection) addTestCase(suite, test)
  }
  return root.end({ pretty: true })
}

function counts(tests: readonly TestCase[]): Record<string, number> {
  const count = (kind: keyof Result) => tests.filter((test) => test[kind] !== undefined).length
  return {
    tests: tests.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

function addTestCase(suite: Xml.XMLElement, { verdict, failure, error, skipped, output }: TestCase): void {
  const test = suite.ele('testcase', {
    classname: `hookproof.${verdict.section}`,
    name: verdict.case,
    time: Number((verdict.durationMs / 1000).toFixed(4)),
  })
  if (failure !== undefined) test.ele('failure', failure)
  if (error !== undefined) test.ele('error', error)
  if (skipped !== undefined) test.ele('skipped', skipped)
  if (output) test.ele('system-out').cdata(cdata(output))
}

function resultOf(verdict: ReportVerdict, report: ConformanceReport): Result {
  const { level } = verdict
  const unstable = report.runs?.unstable.find((entry) => entry.case === verdict.case)
  if (unstable !== undefined) {
    const message = `unstable: ${unstable.outcomes.join(', ')}`
    return { failure: problem(message, level), output: explain(verdict) }
  }
  switch (verdict.outcome) {
    case 'failed': {
      const known = report.baseline?.known.find((entry) => entry.case === verdict.case)
      // A known failure does not fail the run, so a CI server must not show it red.
      if (known !== undefined) {
        const message = `Known failure: ${known.reason}`
        return { skipped: { message }, output: `${message}\n${explain(verdict)}` }
      }
      const cause = causeOf(verdict.case, report)
      const url = causeUrlOf(verdict.case, report)
      const about = [cause, url && `${LABELS.docs}: ${url}`].filter((line) => line !== undefined)
      const output = [...about, explain(verdict)].join('\n')
      return { failure: problem(comparisons(verdict).join('\n'), level), output }
    }
    case 'inconclusive':
    case 'untested': {
      const reason = verdict.reason ?? ''
      const isAccepted = report.baseline?.inconclusive.includes(verdict.case) === true
      // A MUST without a result is not green.
      return level === 'MUST' && !isAccepted
        ? { error: problem(reason, OUTCOME_NAMES[verdict.outcome]) }
        : { skipped: { message: `${OUTCOME_NAMES[verdict.outcome]}: ${reason}` }, output: reason }
    }
    case 'warning':
      return { output: explain(verdict) }
    case 'passed':
      return {}
  }
}

const problem = (message: string, type: string): Problem => ({ ...(message !== '' && { message }), type })

function explain(verdict: ReportVerdict): string {
  const { spec, impact, fix, reproduce, docsUrl } = verdict
  return [
    `${spec.contract ?? 'SPEC.md'}, ${spec.number}: ${spec.sentence}`,
    ...comparisons(verdict),
    `${LABELS.impact}: ${impact}`,
    `${LABELS.fix}: ${fix}`,
    ...(reproduce === null ? [] : [`${LABELS.reproduce}: ${reproduce}`]),
    ...(docsUrl === undefined ? [] : [`${LABELS.docs}: ${docsUrl}`]),
  ].join('\n')
}

function comparisons({ problems }: ReportVerdict): string[] {
  return problems.flatMap(({ expected, received, body }) => [
    `${LABELS.expected}: ${expected}. ${LABELS.received}: ${received}.`,
    ...(body === undefined ? [] : [`${LABELS.body}: ${body}`]),
  ])
}

/** The XML writer splits only the first end of a CDATA section, so a text must not contain any. */
function cdata(text: string): string {
  return text.replaceAll(']]>', ']] >')
}
