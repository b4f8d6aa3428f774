import { describe, expect, it } from 'vitest'
import { renderBadge } from '../../../conformance/report/badge.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { hostileReport, madeExchange, madeFailure, madeReport, madeVerdict } from './made.ts'
import { parseXml } from './xml.ts'

const report = madeReport([
  madeVerdict(),
  madeVerdict({ case: 'refusals/two' }),
  madeVerdict({ case: 'refusals/three' }),
  madeFailure('events/expired', 'protocol', { impact: 'P' }),
  madeFailure('effects/partial', 'money', { impact: 'M' }),
  madeFailure('refusals/empty-key', 'security', { impact: 'S' }),
  madeFailure('refusals/key-null', 'security', { impact: 'S' }),
])

describe('Markdown', () => {
  it('starts with conclusion and grade, and counts outcomes by section', () => {
    const lines = renderMarkdown(report).split('\n')
    expect(lines[0]).toBe('## hookproof: Not conformant, grade F')
    expect(lines).toContain('| Section | Passed | Failed | Warnings | Inconclusive | Not tested |')
    expect(lines).toContain('| Refusals | 3 | 2 |  |  |  |')
    expect(lines).toContain('| Events |  | 1 |  |  |  |')
  })

  it('lists the most severe failures first, and prints shared text once', () => {
    const text = renderMarkdown(report)
    const severities = [...text.matchAll(/^<summary><b>(\w+)<\/b>/gm)].map(([, severity]) => severity)
    expect(severities).toEqual(['security', 'money', 'protocol'])
    for (const id of ['refusals/empty-key', 'refusals/key-null', 'effects/partial', 'events/expired'])
      expect(text).toContain(
        `<li><code>${id}</code><ul>\n<li>Sent: POST payment.completed, another secret.</li>\n<li>Expected: the delivery is refused. Received: status 200.`,
      )
  })

  it('shows the command of a failure with a readable address, inside a code element only', () => {
    const text = renderMarkdown(report)
    expect(text).toContain(
      '<code>npx hookproof send effects/partial http://127.0.0.1&#58;3000/webhooks --seed x</code>',
    )
    expect(text.replace(/<code>.*?<\/code>/g, '')).not.toContain('://')
  })

  it('prints a requirement once, with each different impact and fix below it', () => {
    const text = renderMarkdown(
      madeReport([
        madeFailure('refusals/one', 'security', { fix: 'Fix A.' }),
        madeFailure('refusals/two', 'security', { fix: 'Fix B.' }),
      ]),
    )
    expect(text.match(/<summary>/g)).toHaveLength(1)
    expect(text).toContain('(2 cases)</summary>')
    expect(text.match(/<b>Fix:<\/b> Fix [AB]\./g)).toHaveLength(2)
  })

  it('lists failures briefly when they probably have the same cause', () => {
    const rejected = madeExchange({
      role: 'control',
      delivery: { ...madeExchange().delivery, change: null },
      answer: null,
    })
    const failures = Array.from({ length: 9 }, (_, index) =>
      madeFailure(`transport/case-${index}`, 'protocol', { exchanges: [rejected] }),
    )
    const text = renderMarkdown(madeReport(failures, { diagnosis: 'No valid delivery was accepted.' }))
    expect(text).toContain('### All 9 failures probably have the same cause\n\n- <code>transport/case-0')
    expect(text).toContain('- and 4 more')
    expect(text).not.toContain('<details>')
    const forged = madeFailure('refusals/empty-key', 'security', { exchanges: [] })
    const both = renderMarkdown(madeReport([...failures, forged], { diagnosis: 'No valid delivery.' }))
    expect(both.match(/<details>/g)).toHaveLength(1)
    expect(both).toContain('### Other failures, probably the same cause: 9')
  })

  it('omits empty lists', () => {
    const text = renderMarkdown(madeReport([madeVerdict()]))
    expect(text).toContain('## hookproof: Conformant, grade A+')
    expect(text).not.toContain('###')
    expect(text).not.toContain('<details>')
  })

  it('escapes text from the receiver', () => {
    const text = renderMarkdown(hostileReport())
    const tags = [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag)
    const known = /^<(?:\/?(?:details|summary|b|p|ul|li|code|sub)|br|!-- --)>$/
    expect(tags.filter((tag) => !known.test(tag))).toEqual([])
    expect(text).not.toMatch(/[`[\]$]|\*\*bold|@|\u202e|(?!\n)\p{Cc}|javascript:b/u)
    expect(text).not.toMatch(/^# a heading/m)
    const rows = text.split('\n').filter((line) => line.startsWith('| '))
    for (const row of rows) expect(row.match(/\|/g)).toHaveLength(7)
    // An empty line would end the HTML block, and Markdown would be interpreted again.
    for (const [block] of text.matchAll(/<details>[^]*?<\/details>/g)) expect(block).not.toContain('\n\n')
  })

  it('fits into a comment, and counts what it omits', () => {
    const failures = Array.from({ length: 400 }, (_, index) =>
      madeFailure(`refusals/case-${index}`, 'security', { fix: `${index} ${'long '.repeat(60)}` }),
    )
    const text = renderMarkdown(madeReport(failures))
    expect(text.length).toBeLessThan(65_536)
    const listed = text.match(/^<li><code>/gm)?.length ?? 0
    expect(listed).toBeGreaterThan(20)
    expect(text).toContain(`And ${400 - listed} more`)
  })

  it('fits into a comment when there are failures and warnings, each too many', () => {
    const many = (outcome: 'failed' | 'warning') =>
      Array.from({ length: 200 }, (_, index) =>
        madeFailure(`refusals/${outcome}-${index}`, 'security', {
          outcome,
          spec: { number: `${outcome === 'failed' ? 5 : 6}.${index}`, sentence: 'word '.repeat(60) },
        }),
      )
    const text = renderMarkdown(madeReport([...many('failed'), ...many('warning')]))
    expect(text.length).toBeLessThan(65_536)
    expect(text.length).toBeGreaterThan(50_000)
    expect(text).toContain('And 200 more, which do not fit here')
  })

  it('prints an expectation once for several responses, and what backquotes mark as code', () => {
    const text = renderMarkdown(
      madeReport([
        madeFailure('refusals/one', 'security', {
          fix: 'Compare `v1`.',
          problems: [
            { expected: 'it is refused', received: 'status `200`' },
            { expected: 'it is refused', received: 'status 500' },
          ],
        }),
      ]),
    )
    expect(text).toContain(
      '<li>Expected: it is refused. Received: status &#96;200&#96;.</li>\n<li>Received: status 500.</li>',
    )
    expect(text).toContain('<b>Fix:</b> Compare <code>v1</code>.')
  })
})

describe('the badge', () => {
  it.each([
    [
      'a full run',
      report,
      'F (full)',
      'hookproof: grade F, not conformant in the full profile of contract 1.0',
    ],
    [
      'the core profile',
      madeReport([madeVerdict()], { profile: 'core' }),
      'A (core)',
      'hookproof: grade A, conformant in the core profile of contract 1.0',
    ],
    [
      'selected cases',
      madeReport([madeVerdict()], { selection: { only: ['refusals'], skip: [] } }),
      'B (part)',
      'hookproof: grade B, conformant in the selected cases of contract 1.0',
    ],
  ])('of %s shows the grade and its scope', (_, report, message, title) => {
    const svg = parseXml(renderBadge(report))
    expect(svg.attributes).toMatchObject({ role: 'img', 'aria-labelledby': 'title' })
    expect(svg.children[0]).toMatchObject({ name: 'title', attributes: { id: 'title' }, text: title })
    expect(svg.children.at(-1)?.children.map(({ text }) => text)).toEqual(['hookproof', message])
  })

  it('loads nothing, and shows no text from the receiver', () => {
    const svg = renderBadge(hostileReport())
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|<style|<script|<image/)
    expect(svg).not.toContain('alert')
  })
})
