import { expect, test } from 'vitest'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderJunit } from '../../../conformance/report/junit.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import type { ReportVerdict } from '../../../schemas/types.ts'
import { madeFailure, madeReport, madeVerdict } from './made.ts'
import { parseXml } from './xml.ts'

const made = (count: number, name: string, about: Partial<ReportVerdict>) =>
  Array.from({ length: count }, (_, n) => madeVerdict({ case: `events/${name}-${n}`, ...about }))

const report = madeReport([
  ...Array.from({ length: 2 }, (_, n) => madeFailure(`refusals/failed-${n}`, 'security')),
  ...made(3, 'warned', { outcome: 'warning', level: 'SHOULD' }),
  ...made(4, 'undecided', { outcome: 'inconclusive', reason: 'the control was rejected' }),
  ...made(5, 'untested', { outcome: 'untested', level: 'SHOULD', reason: 'not observed' }),
  ...made(6, 'passed', {}),
])
const TALLY = '6 passed, 2 failed, 3 warnings, 4 inconclusive, 5 not tested of 20 cases'

test('every format counts the same cases under the same outcomes', () => {
  expect(report.counts).toEqual({ passed: 6, failed: 2, warning: 3, inconclusive: 4, untested: 5 })
  for (const text of [
    renderTerminal(report),
    renderTerminal(report, { short: true }),
    renderMarkdown(report),
    renderHtml(report),
  ])
    expect(text).toContain(TALLY)
  const html = renderHtml(report)
  for (const [outcome, count] of Object.entries(report.counts))
    expect(html.match(new RegExp(`<details [^>]*data-outcome="${outcome}"`, 'g'))).toHaveLength(count)
  expect(renderMarkdown(report)).toContain('| Events | 6 |  | 3 | 4 | 5 |')
})

test('JUnit has the failures as failures, and names the outcome of a case without a result', () => {
  const root = parseXml(renderJunit(report))
  expect(root.attributes).toMatchObject({ tests: '20', failures: '2', errors: '4', skipped: '5' })
  const results = root.children.flatMap(({ children }) => children).flatMap(({ children }) => children)
  const errors = results.filter(({ name }) => name === 'error')
  expect(errors.every(({ attributes }) => attributes['type'] === 'inconclusive')).toBe(true)
  const skipped = results.filter(({ name }) => name === 'skipped')
  expect(skipped.every(({ attributes }) => attributes['message'] === 'not tested: not observed')).toBe(true)
})

test('a count of failures with a cause is never beside a count that guesses', () => {
  const failures = Array.from({ length: 9 }, (_, n) => madeFailure(`transport/case-${n}`, 'protocol'))
  const rejected = failures.map((verdict) => ({
    ...verdict,
    exchanges: verdict.exchanges.map((exchange) => ({
      ...exchange,
      delivery: { ...exchange.delivery, change: null },
      answer: null,
    })),
  }))
  const caused = madeReport(rejected, {
    causes: [
      { code: 'wrong_secret', sentence: 'It is.', fix: 'Fix.', cases: rejected.slice(2).map((v) => v.case) },
    ],
    diagnosis: '7 of 9 failures have one cause: it is.',
  })
  const text = renderMarkdown(caused)
  expect(text).toContain('### Failures with a cause named above: 7')
  expect(text).not.toContain('probably')
  expect(text.match(/<li>Sent:/g)).toHaveLength(2)
})
