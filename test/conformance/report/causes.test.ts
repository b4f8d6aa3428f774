import { describe, expect, it } from 'vitest'
import { headlineOf } from '../../../conformance/report/causes.ts'
import { cardsOf } from '../../../conformance/report/failures.ts'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderJunit } from '../../../conformance/report/junit.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import type { ReportCause } from '../../../schemas/types.ts'
import { type Behavior, CORRECT } from '../../mutants/behavior.ts'
import { grade } from './graded.ts'
import { madeFailure, madeReport } from './made.ts'
import { parseXml } from './xml.ts'

const cause = (code: string, sentence: string, ...cases: string[]): ReportCause => ({
  code,
  sentence,
  fix: `Fix ${code}.`,
  cases,
})
const verdicts = (failed: readonly string[]) =>
  failed.map((id) => ({ case: { id } as never, outcome: 'failed' as const }))

describe('the first line', () => {
  it.each<[string, ReportCause[], string[], string | undefined]>([
    ['has no cause', [], ['a'], undefined],
    [
      'names the cause of all',
      [cause('x', 'It is X.', 'a', 'b')],
      ['a', 'b'],
      '2 failures, one cause: it is X.',
    ],
    ['names the cause of one', [cause('x', 'It is X.', 'a')], ['a'], '1 failure: it is X.'],
    [
      'counts what a cause explains',
      [cause('x', 'It is X.', 'a')],
      ['a', 'b'],
      '1 of 2 failures has one cause: it is X.',
    ],
    [
      'names two causes',
      [cause('x', 'It is X.', 'a', 'b'), cause('y', 'It is Y.', 'c')],
      ['a', 'b', 'c'],
      '3 failures, 2 causes: it is X (2 failures); it is Y (1 failure).',
    ],
    ['says that nothing was tested', [cause('x', 'It is X.', 'a')], [], '1 case without a result: it is X.'],
  ])('%s', (_, causes, failed, line) => {
    expect(headlineOf(causes, verdicts(failed))?.text).toBe(line)
  })
})

describe('every format has the cause and its fix beside the conclusion', () => {
  const failures = [madeFailure('refusals/one', 'security'), madeFailure('refusals/two', 'security')]
  const causes = [cause('x', 'The <b> is not verified.', 'refusals/one', 'refusals/two')]
  const report = madeReport(failures, {
    causes,
    diagnosis: '2 failures, one cause: the <b> is not verified.',
  })

  it('on the terminal', () => {
    expect(renderTerminal(report).split('\n').slice(0, 3)).toEqual([
      `Not conformant, grade F. ${report.diagnosis}`,
      '  Fix       Fix x.',
      '',
    ])
    expect(renderTerminal(report, { short: true }).split('\n')[0]).toBe(
      `Not conformant, grade F. ${report.diagnosis}`,
    )
    expect(renderTerminal(report).split('is not verified').length).toBe(2)
  })

  it('in Markdown', () => {
    expect(renderMarkdown(report).split('\n\n').slice(0, 5)).toEqual([
      '## hookproof: Not conformant, grade F',
      expect.stringMatching(/^\*\*Not conformant\*\* in the full profile: 2 failed/),
      '**Grade F:** A security requirement failed.',
      '> **2 failures, one cause: the \\<b\\> is not verified.**',
      expect.stringMatching(/^\*\*Fix:\*\* Fix x\.\\\n\*\*Cases\*\* \(security, 2 failures\): `/),
    ])
  })

  it('in HTML', () => {
    const page = renderHtml(report)
    const body = page.slice(page.indexOf('<header>'))
    expect(body.indexOf('2 failures, one cause: the &lt;b&gt; is not verified.')).toBeGreaterThan(0)
    expect(body.indexOf('2 failures, one cause')).toBeGreaterThan(body.indexOf('<h1>'))
    expect(body.indexOf('2 failures, one cause')).toBeLessThan(body.indexOf('How grades are assigned'))
  })

  it('in JUnit', () => {
    const xml = renderJunit(report)
    expect(() => parseXml(xml)).not.toThrow()
    expect(xml).toContain('<testsuites name="hookproof: 2 failures, one cause: the &lt;b> is not verified."')
  })
})

describe('the case that a report shows for a cause is the one that its sentence is about', () => {
  const parse: Behavior['parse'] = (body) => {
    if (body.toString().startsWith('{')) return CORRECT.parse(body)
    throw new TypeError('uncaught')
  }
  const trusts: Behavior['trusts'] = (_, { headers }) =>
    /^127\.|^10\./.test(String(headers['x-forwarded-for']))
  // A second mistake, whose cases come first and are as severe.
  const inWindow: Behavior['inWindow'] = () => true
  it.each<[string, Partial<Behavior>, string[]]>([
    ['error_not_caught', { parse, inWindow }, ['time-window', 'robustness']],
    ['verification_bypassed', { trusts, inWindow }, ['time-window', 'bypass']],
  ])('%s', { timeout: 60_000 }, async (code, behavior, only) => {
    const report = await grade({ behavior }, { only, profile: 'core' })
    const shown = report.causes?.find((one) => one.code === code)
    const card = cardsOf(report, 0).cards.find((one) => one.cause === code)
    expect(card?.first?.case).toBe(shown?.cases[0])
    const [, change = 'none'] = /\(for example: (.*)\)\.$/.exec(shown?.sentence ?? '') ?? []
    expect(card?.first?.exchanges.map(({ delivery }) => delivery.change)).toContain(change)
  })
})
