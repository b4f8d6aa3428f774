import { expect, test } from 'vitest'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderJunit } from '../../../conformance/report/junit.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import type { ReportVerdict } from '../../../schemas/types.ts'
import type { Behavior } from '../../mutants/behavior.ts'
import { grade } from './graded.ts'
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

/** The cases in a JUnit report by what it says about them. */
function casesInJunit(text: string): Record<string, string[]> {
  const cases: Record<string, string[]> = { failed: [], without: [] }
  for (const { children: suite } of parseXml(text).children) {
    for (const { attributes, children } of suite) {
      const id = String(attributes['name'])
      const names = children.map(({ name }) => name)
      if (names.includes('failure')) cases['failed']?.push(id)
      else if (names.includes('error') || names.includes('skipped')) cases['without']?.push(id)
    }
  }
  return cases
}

const BEHAVIORS: Readonly<Record<string, Partial<Behavior>>> = {
  'verifies nothing': { same: () => true },
  'refuses everything': { gate: () => 401 },
  'redirects, but for one path': { gate: ({ url }) => (url?.includes('?') ? 200 : 307) },
  'throws at each forgery': { status: () => 500 },
}

test.each(Object.keys(BEHAVIORS))('every format names the same cases of a receiver that %s', async (name) => {
  const only = ['signature-header/absent', 'refusals', 'transport', 'bypass/*-in-*', 'events/expired']
  const graded = await grade({ behavior: BEHAVIORS[name] ?? {} }, { only })
  const casesOf = (...outcomes: string[]) =>
    graded.verdicts
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ case: id }) => id)
      .toSorted()
  const [failed, without] = [casesOf('failed'), casesOf('inconclusive', 'untested')]
  expect(failed).not.toEqual([])

  const junit = casesInJunit(renderJunit(graded))
  expect(junit['failed']?.toSorted()).toEqual(failed)
  expect(junit['without']?.toSorted()).toEqual(without)
  const html = renderHtml(graded)
  for (const { case: id, outcome } of graded.verdicts)
    expect(html).toContain(`<details id="case-${id}" data-outcome="${outcome}"`)
  const text = renderTerminal(graded)
  for (const id of [...failed, ...without]) expect(text, id).toContain(id)
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
  expect(text).toContain('**Cases** (protocol, 7 failures): `transport/case-2`, ')
  expect(text).toContain('### Other failures, which these causes do not explain: 2\n')
})
