import { describe, expect, it, test } from 'vitest'
import { renderBadge } from '../../../conformance/report/badge.ts'
import { compareBaseline, updatedBaseline } from '../../../conformance/report/baseline.ts'
import { diffReports } from '../../../conformance/report/diff.ts'
import { grade } from '../../../conformance/report/grade.ts'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderJunit } from '../../../conformance/report/junit.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import { validate } from '../../../schemas/validate.ts'
import { madeFailure, madeReport, madeVerdict } from './made.ts'
import { parseXml } from './xml.ts'

const REASON = 'the control, a valid delivery, was not accepted: status 403'
const MUST = 'refusals/another-secret'
const SHOULD = 'transport/method-put'
const inconclusive = (id: string, level: 'MUST' | 'SHOULD' = 'MUST') =>
  madeVerdict({ case: id, level, outcome: 'inconclusive', reason: REASON })
const passing = Array.from({ length: 4 }, (_, n) => madeVerdict({ case: `events/passed-${n}` }))
const report = madeReport([...passing, inconclusive(MUST), inconclusive(SHOULD, 'SHOULD')], {
  conclusion: 'incomplete',
})

describe('an inconclusive case is counted apart from the failures', () => {
  test('in data that is valid under the schema', () => {
    expect(validate('report', report)).toEqual([])
    expect(report.counts).toEqual({ passed: 4, failed: 0, warning: 0, inconclusive: 2, untested: 0 })
  })

  test('in the terminal, each reason once', () => {
    const text = renderTerminal(report)
    expect(text).toContain(
      `Inconclusive: the valid control delivery was rejected: 2\n  ${REASON}: ${MUST}, ${SHOULD}\n`,
    )
    expect(text).toContain('Incomplete in the full profile: 4 passed, 2 inconclusive of 6 cases')
    expect(text).not.toMatch(/^x |failed/m)
  })

  test('in Markdown', () => {
    const text = renderMarkdown(report)
    expect(text).toContain('### Inconclusive: the valid control delivery was rejected')
    expect(text).toContain(`: \`${MUST}\`, \`${SHOULD}\``)
    expect(text).toContain('| Refusals |  |  |  | 1 |  |')
    expect(text).not.toContain('Failures')
  })

  test('in HTML, with a filter and a column of its own', () => {
    const html = renderHtml(report)
    expect(html).toContain('<h2 id="fixes-inconclusive">')
    expect(html).toContain('value="inconclusive"')
    expect(html).toContain('<th scope="col">inconclusive</th>')
    expect(html).toContain('<dt>Inconclusive because</dt>')
    expect(html).not.toMatch(/<details[^>]*data-outcome="failed"/)
  })

  test('in JUnit: a MUST is an error, since the command does not exit with code 0, and a SHOULD is skipped', () => {
    const root = parseXml(renderJunit(report))
    expect(root.attributes).toMatchObject({ tests: '6', failures: '0', errors: '1', skipped: '1' })
    const elementOf = (id: string) =>
      root.children.flatMap(({ children }) => children).find(({ attributes }) => attributes['name'] === id)
        ?.children[0]
    expect(elementOf(MUST)).toMatchObject({
      name: 'error',
      attributes: { type: 'inconclusive', message: REASON },
    })
    expect(elementOf(SHOULD)).toMatchObject({
      name: 'skipped',
      attributes: { message: `inconclusive: ${REASON}` },
    })
  })

  test('in the badge, which says incomplete', () => {
    expect(renderBadge(report)).toContain('incomplete in the full profile')
  })
})

describe('the grade of a report with inconclusive cases', () => {
  it.each([
    ['B for a MUST', [...passing, inconclusive(MUST)], 'B'],
    ['A for a SHOULD', [...passing, inconclusive(SHOULD, 'SHOULD')], 'A'],
    [
      'F when they are as many as the cases that passed',
      [...passing, ...passing.map(({ case: id }) => inconclusive(id))],
      'F',
    ],
  ])('is %s', (_, verdicts, letter) => {
    expect(grade(madeReport(verdicts)).letter).toBe(letter)
  })
})

describe('compared with a baseline or another report, an inconclusive case', () => {
  const before = madeReport([madeFailure(MUST, 'security')])
  const after = madeReport([inconclusive(MUST)])

  it('is neither a known failure nor a stale entry', () => {
    const baseline = { failures: { [MUST]: { reason: 'known' } } }
    expect(compareBaseline(after, baseline, '2026-03-14')).toEqual({
      known: [],
      new: [],
      stale: [],
      expired: [],
      inconclusive: [],
      undecided: [MUST],
    })
  })

  it('is not written to a baseline, and does not remove its entry', () => {
    expect(updatedBaseline(after, { failures: {} })).toEqual({ failures: {} })
    const failures = { [MUST]: { reason: 'known' } }
    expect(updatedBaseline(after, { failures })).toEqual({ failures })
    const untested = madeReport([madeVerdict({ case: MUST, outcome: 'untested', reason: 'not observed' })])
    expect(updatedBaseline(untested, { failures })).toEqual({ failures })
  })

  it('is a change, not a fix, and a failure after it is new', () => {
    expect(diffReports(before, after)).toMatchObject({ fixed: [], failures: [], changed: [{ case: MUST }] })
    expect(diffReports(after, before)).toMatchObject({ failures: [{ case: MUST }] })
  })
})
