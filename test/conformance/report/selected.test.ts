import { expect, it } from 'vitest'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import { madeFailure, madeReport, madeVerdict } from './made.ts'

const report = madeReport([madeVerdict(), madeFailure('refusals/two', 'security')], {
  selection: { only: ['refusals'], skip: [] },
})

const FAILED =
  'A receiver MUST refuse what nobody signed (SPEC.md 5.1): refusals/two failed, 1 of 2 selected cases.'

it('has no grade when only some cases were selected, in any format for people', () => {
  for (const text of [renderTerminal(report), renderTerminal(report, { short: true })])
    expect(text.split('\n')[0]).toBe(`Not conformant. ${FAILED}`)
  expect(renderMarkdown(report).split('\n')[0]).toBe('## hookproof: Not conformant')
  expect(renderMarkdown(report)).toContain(`> **${FAILED}**`)
  expect(renderHtml(report)).toContain(`<p class="diagnosis">${FAILED}</p>`)
  expect(renderHtml(report)).toContain('<title>hookproof: Not conformant</title>')
  for (const render of [renderTerminal, renderMarkdown, renderHtml])
    expect(render(report).replace(/<(style|script)>[^]*?<\/\1>/g, '')).not.toMatch(/grade/i)
})

it('begins with the impact where the most severe failures of several requirements have it in common', () => {
  const others = ['7.2', '9.1'].map((number) =>
    madeFailure(`effects/${number}`, 'money', {
      spec: { number, sentence: `Requirement ${number}.` },
      impact: 'The customer gets nothing. Nobody notices.',
    }),
  )
  expect(renderTerminal(madeReport(others)).split('\n')[0]).toBe(
    'Not conformant, grade F. The customer gets nothing. Nobody notices: effects/7.2 and 1 more of 2 cases failed.',
  )
})

it('cuts a long requirement off with three dots, wherever the cut falls', () => {
  for (let length = 100; length < 140; length += 1) {
    const sentence = `${'word '.repeat(60).slice(0, length)} ${'more '.repeat(30)}end.`
    const failure = madeFailure('effects/one', 'money', { spec: { number: '9.1', sentence } })
    const [line = ''] = renderTerminal(madeReport([failure])).split('\n')
    expect(line).toMatch(/[a-z]\.\.\. \(SPEC\.md 9\.1\): 1 of 1 case failed\.$/)
  }
})

it('names failures of one impact once, each with what was received', () => {
  const others = [1, 2, 3, 4, 5].map((n) =>
    madeFailure(`effects/${n}`, 'money', { impact: n < 4 ? `Impact ${n}.` : 'The same.', fix: `Fix ${n}.` }),
  )
  const text = renderTerminal(madeReport(others), { short: true })
  expect(text.match(/The same\./g)).toHaveLength(1)
  expect(text).toContain('  The same. (effects/4 and 1 more; received: status 200)')
})

it('says that the code is in --verbose when there is no room for it', () => {
  const failures = Array.from({ length: 12 }, (_, n) => madeFailure(`body-bytes/${n}`, 'security'))
  const causes = failures.map(({ case: id }, n) => ({
    code: n === 0 ? 'body_trimmed' : `cause_${n}`,
    sentence: `Cause ${n}.`,
    fix: `Fix ${n}.`,
    cases: [id],
  }))
  const crowded = madeReport(failures, {
    causes,
    diagnosis: '12 failures, 12 causes: many.',
    diagnosisInBrief: '12 failures, 12 causes.',
    framework: 'express',
  })
  const text = renderTerminal(crowded, { short: true })
  expect(text).not.toContain('Example in Express')
  expect(text).toContain('Code for the fix and all details: --verbose')
})
