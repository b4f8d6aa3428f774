import { describe, expect, it } from 'vitest'
import { renderBadge } from '../../../conformance/report/badge.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { escapeMarkdown, markdownCode } from '../../../conformance/report/text.ts'
import { hostileReport, madeFailure, madeReport, madeVerdict, markedUp } from './made.ts'
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
    const severities = [...text.matchAll(/^\*\*(\w+)\*\* 5\.1 /gm)].map(([, severity]) => severity)
    expect(severities).toEqual(['security', 'money', 'protocol'])
    for (const id of ['refusals/empty-key', 'effects/partial', 'events/expired'])
      expect(text).toContain(
        `- \`${id}\`: Sent: POST payment.completed, another secret.\n  Expected: the delivery is refused. Received: status 200.\n`,
      )
    expect(text).toContain(
      '- `refusals/key-null`: Sent: POST payment.completed, another secret.\n  Received: ',
    )
  })

  it('shows the command of a failure as code', () => {
    expect(renderMarkdown(report)).toContain(
      '  Reproduce: `npx hookproof send effects/partial http://127.0.0.1:3000/webhooks --seed x`\n',
    )
  })

  it('prints a requirement once, with each different impact and fix below it', () => {
    const text = renderMarkdown(
      madeReport([
        madeFailure('refusals/one', 'security', { fix: 'Fix A.' }),
        madeFailure('refusals/two', 'security', { fix: 'Fix B.' }),
      ]),
    )
    expect(text.match(/ 5\.1 A receiver/g)).toHaveLength(1)
    expect(text).toContain('signed. (2 cases)\n')
    expect(text.match(/\*\*Fix:\*\* Fix [AB]\./g)).toHaveLength(2)
  })

  it('has the fix, the code and the cases of each cause below its title', () => {
    const failures = Array.from({ length: 9 }, (_, index) => madeFailure(`body-bytes/${index}`, 'security'))
    const [twice, parsed] = [madeFailure('duplicates/again', 'money'), failures.map((one) => one.case)]
    const text = renderMarkdown(
      madeReport([...failures, twice], {
        framework: 'express',
        causes: [
          { code: 'no_deduplication', sentence: 'It ships twice.', fix: 'Insert.', cases: [twice.case] },
          { code: 'body_parsed_first', sentence: 'It parses `body`.', fix: 'Keep.', cases: parsed },
        ],
        diagnosis: '10 failures, 2 causes: it ships twice (1 failure); it parses (9 failures).',
        diagnosisInBrief: '10 failures, 2 causes.',
      }),
    )
    const order = [
      '> **10 failures, 2 causes.**',
      '### It ships twice.',
      '**Fix:** Insert.',
      '```sql\n',
      '### It parses `body`.',
      '**Fix:** Keep.',
      '(security, 9 failures): `body-bytes/0`, `body-bytes/1`, ',
      ' and 4 more\n',
      '```js\n',
    ].map((part) => text.indexOf(part))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order).not.toContain(-1)
  })

  it('counts and names the failures of a cause apart from its warnings', () => {
    const failed = madeFailure('body-bytes/one', 'security')
    const warning = madeFailure('transport/two', 'protocol', { outcome: 'warning', level: 'SHOULD' })
    const text = renderMarkdown(
      madeReport([failed, warning], {
        causes: [{ code: 'x', sentence: 'It.', fix: 'Fix.', cases: [warning.case, failed.case] }],
        diagnosis: '1 failure, one cause: it.',
      }),
    )
    expect(text).toContain(
      '**Cases** (security, 1 failure): `body-bytes/one`; and 1 warning or case without a result\n',
    )
  })

  it('omits empty lists', () => {
    const text = renderMarkdown(madeReport([madeVerdict()]))
    expect(text).toContain('## hookproof: Conformant, grade A+')
    expect(text).not.toContain('###')
    expect(text).not.toContain('<details>')
  })

  it('is readable unrendered, and text from the receiver is only text', () => {
    const text = renderMarkdown(hostileReport())
    expect(markedUp(text)).toEqual([])
    expect(text).not.toMatch(/\u202e|(?!\n)\p{Cc}/u)
    expect(renderMarkdown(report)).not.toMatch(/&#?\w+;|<\w/)
    const sentence = "The receiver's t_x (1 < 2) = [a] @all `x` costs $5: see http://x.example, C:\\d | 2_"
    expect(escapeMarkdown(sentence)).toBe(
      "The receiver's t_x (1 \\< 2) = \\[a\\] &#64;<!-- -->all \\`x\\` costs &#36;5: see http&#58;//x.example, C:\\\\d | 2\\_",
    )
    expect(['- a', '1. a', '# a', '=', '3.3 a'].map(escapeMarkdown)).toEqual([
      '\\- a',
      '1\\. a',
      '\\# a',
      '\\=',
      '3.3 a',
    ])
    expect(['a``b`', '`', ' a\n b '].map(markdownCode)).toEqual(['``` a``b` ```', '`` ` ``', '`a b`'])
  })

  it('has less than 20 KB whatever fails, and counts what it omits', () => {
    const many = (outcome: 'failed' | 'warning', about: object = {}) =>
      Array.from({ length: 400 }, (_, index) =>
        madeFailure(`refusals/${outcome}-${index}`, 'security', {
          outcome,
          fix: `${index} ${'\u00e9 word '.repeat(60)}`,
          spec: { number: `5.${index}`, sentence: 'word '.repeat(60) },
          ...about,
        }),
      )
    const same = { spec: { number: '5.1', sentence: 'A receiver MUST.' } }
    const undecided = many('warning', { outcome: 'untested', level: 'SHOULD' }).map((verdict, index) => ({
      ...verdict,
      reason: `${index} ${'reason '.repeat(200)}`,
    }))
    const causes = many('failed').map(({ case: id }, index) => ({
      code: `cause_${index}`,
      sentence: `${index} ${'sentence '.repeat(40)}`,
      fix: 'Fix it.',
      cases: [id],
    }))
    const none = { new: [], expired: [], inconclusive: [], undecided: [] }
    const known = many('failed').map((one) => ({ case: one.case, reason: 'It is known. '.repeat(9) }))
    for (const made of [
      madeReport(many('failed', same)),
      madeReport([...many('failed'), ...many('warning')]),
      madeReport([...many('failed'), ...undecided], { causes, diagnosis: 'Many.' }),
      madeReport(many('failed'), { baseline: { ...none, known, stale: known.map((one) => one.case) } }),
    ]) {
      const text = renderMarkdown(made)
      expect(Buffer.byteLength(text)).toBeLessThan(20_000)
      expect(Buffer.byteLength(text)).toBeGreaterThan(15_000)
      expect(text).toMatch(/^And \d+ more: see the HTML report\.$|the rest of the causes/m)
    }
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
      '  Expected: it is refused. Received: status \\`200\\`.\n  Received: status 500.\n',
    )
    expect(text).toContain('**Fix:** Compare `v1`.')
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
