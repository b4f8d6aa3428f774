import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { CATALOGUE } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { renderHtml } from '../../../../conformance/report/html/html.ts'
import { renderMarkdown } from '../../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../../conformance/report/terminal/terminal.ts'
import type { ConformanceReport, ReportVerdict } from '../../../../schemas/types.ts'
import { caseOf } from '../../support.ts'
import { failedIn, grade, some, wrong } from '../graded.ts'
import { madeFailure, madeReport, madeVerdict } from '../made.ts'

/** One report, shared by all tests that only read it. */
let graded: ConformanceReport
let stop: () => void | Promise<void>
beforeAll(async () => {
  graded = await grade({ ...wrong, finished: (clear) => (stop = clear) }, { only: some })
})
afterAll(() => stop())

describe('the terminal', () => {
  it('prints the requirement, impact, fix, request, expectation, response and command of each failure', () => {
    const blocks = renderTerminal(graded).split('\n\n')
    expect(failedIn(graded).length).toBeGreaterThan(15)
    for (const { case: id, spec, impact, fix, problems, reproduce, docsUrl } of failedIn(graded)) {
      const block = blocks.find((text) => text.split('\n').includes(`  ${id}`))
      const lines = block?.split('\n') ?? []
      expect(lines[0]).toContain(`${spec.number} ${spec.sentence}`)
      expect(lines).toContain(`  Impact    ${impact}`)
      expect(lines).toContain(`  Fix       ${fix}`)
      const own = lines.slice(lines.indexOf(`  ${id}`) + 1)
      const until = own.findIndex((line) => !line.startsWith('    '))
      const rows = until === -1 ? own : own.slice(0, until)
      expect(rows[0]).toMatch(/^ {4}Sent {6}\S/)
      for (const { expected, received } of problems) {
        expect(rows).toContain(`    Expected  ${expected}`)
        expect(rows).toContain(`    Received  ${received}`)
      }
      expect(rows.slice(-2)).toEqual([`    Reproduce ${reproduce}`, `    Docs      ${docsUrl}`])
    }
  })

  it('begins with the requirement of the most severe failure where no cause is known, in 200 characters', () => {
    const others = Array.from({ length: 99 }, (_, n) => madeFailure(`transport/${n}`, 'protocol'))
    const about = ({ number, spec: sentence }: (typeof CATALOGUE)[number]) => ({ spec: { number, sentence } })
    const lineOf = (testCase: (typeof CATALOGUE)[number]) => {
      const report = madeReport([...others, madeFailure(testCase.id, 'security', about(testCase))])
      return renderTerminal(report, { short: true }).split('\n')[0] ?? ''
    }
    // Of each requirement, the case with the longest id.
    const longest = new Map(
      CATALOGUE.toSorted((a, b) => a.id.length - b.id.length).map((one) => [one.spec, one]),
    )
    expect([...longest.values()].map(lineOf).filter((line) => line.length > 200)).toEqual([])
    expect(lineOf(caseOf('disclosure/no-trace-in-a-refusal'))).toBe(
      'Not conformant, grade F. A response to a delivery that is not validly signed MUST NOT contain a stack trace (SPEC.md 11.3): disclosure/no-trace-in-a-refusal and 99 more of 100 cases failed.',
    )
    expect(lineOf(caseOf('bypass/metadata-named-like-ids'))).toBe(
      'Not conformant, grade F. A receiver MUST take the id, the amount and all other fields of an event from the event itself, not from its metadata (SPEC.md 12.9): 100 of 100 cases failed.',
    )
  })

  it('lists the most severe failures first', () => {
    const severities = [...renderTerminal(graded).matchAll(/^x .* \[(\w+)\]$/gm)].map(
      ([, severity]) => severity,
    )
    expect(new Set(severities)).toEqual(new Set(['security', 'money', 'protocol']))
    expect(severities).toEqual(
      ['security', 'money', 'protocol'].flatMap((severity) =>
        severities.filter((other) => other === severity),
      ),
    )
  })

  it('ends with the conclusion and its exact scope', async () => {
    const last = (text: string) => text.trimEnd().split('\n\n').at(-1)
    expect(last(renderTerminal(graded))).toMatch(
      new RegExp(`^Not conformant in the ${graded.verdicts.length} cases selected: `),
    )
    const few = await grade({}, { profile: 'core', only: ['transport/content-*', 'effects'] })
    // As if they were all: the others would only be counted.
    expect(last(renderTerminal({ ...few, selection: { only: [], skip: [] } }))).toMatch(
      /^Conformant in the core profile: .* Grade A\.\nNot tested: side effects such as double fulfillment \(\d+ cases: add --observe <url>\), /,
    )
  })

  it('prints a requirement once, with each different impact and fix below it', () => {
    const text = renderTerminal(
      madeReport([
        madeFailure('refusals/one', 'security', { fix: 'Fix A.' }),
        madeFailure('refusals/two', 'security', { fix: 'Fix B.' }),
      ]),
    )
    expect(text.match(/^x /gm)).toHaveLength(1)
    expect(text.match(/^ {2}Fix {7}Fix [AB]\.$/gm)).toHaveLength(2)
  })

  it('uses colors only on request', () => {
    expect(renderTerminal(graded)).not.toContain('\u001b')
    expect(renderTerminal(graded, { color: false })).toBe(renderTerminal(graded))
    const colored = renderTerminal(graded, { color: true })
    expect(colored).toContain('\u001b[')
    expect(stripVTControlCharacters(colored)).toBe(renderTerminal(graded))
  })
})

test('a command to reproduce exists for everything but cases that passed or were not tested', () => {
  for (const { outcome, reproduce: command } of graded.verdicts)
    expect(command === null).toBe(outcome === 'passed' || outcome === 'untested')
})

describe('a short report', () => {
  const made = (count: number, about: Partial<ReportVerdict> = {}) =>
    Array.from({ length: count }, (_, n) =>
      madeFailure(`refusals/case-${n}`, 'security', { fix: `Fix ${n}.`, ...about }),
    )
  const warnings = made(9, { outcome: 'warning', level: 'SHOULD' })
  const short = (report: ConformanceReport, columns?: number) =>
    renderTerminal(report, { short: true, columns })
  const cause = (code: string, cases: readonly ReportVerdict[]) => ({
    code,
    sentence: `The receiver is wrong about ${code} in a sentence of some length, as causes have.`,
    fix: 'Fix it in one place, and keep the bytes as they were received, then parse the JSON afterwards.',
    cases: cases.map(({ case: id }) => id),
  })
  const failures = made(60)
  const causes = [
    cause('body_trimmed', failures.slice(0, 20)),
    cause('statuses_swapped', failures.slice(20, 30)),
    cause('no_deduplication', failures.slice(30, 40)),
  ]
  const severalCauses = madeReport([...failures, ...warnings], {
    causes,
    diagnosis: '40 of 60 failures have 3 causes: the receiver (20 failures); it (10 failures).',
    diagnosisInBrief: '40 of 60 failures have 3 causes.',
    framework: 'spring',
  })

  it.each([
    ['of several causes', severalCauses],
    ['without a cause', madeReport([...failures, ...warnings])],
    ['of one failure', madeReport(made(1))],
    ['of warnings alone', madeReport(warnings)],
    ['of a conformant receiver', madeReport([madeVerdict()])],
  ])('%s has at most 40 lines, whatever the width of the terminal', (_, report) => {
    for (const columns of [undefined, 200, 100, 80]) {
      const lines = short(report, columns).trimEnd().split('\n')
      expect(lines.length).toBeLessThanOrEqual(40)
      expect(lines[0]).toMatch(/^(?:Conformant|Not conformant), grade [A-F]/)
      expect(lines.slice(-3).join('\n')).toMatch(/^(?:Conformant|Not conformant) in the full profile: /m)
      expect(lines.join('\n')).toMatch(/Grade\s[A-F]\+?\.(?:\nNot tested: crashes \(hookproof crash\)\.)?$/)
    }
  })

  it('has the fix and the evidence of a failure with many long problems, as a crash has', () => {
    const problems = Array.from({ length: 5 }, (_, n) => ({
      expected: 'every payment that was acknowledged has its effect',
      received: `round ${n}: ${'acknowledged, killed and started again; '.repeat(12)}`,
    }))
    const text = short(madeReport(made(1, { problems })), 80)
    expect(text).toContain('  Fix       Fix 0.')
    expect(text).toContain('  Received  round 0')
    expect(text).not.toContain('round 4')
  })

  it('wraps text to the terminal, but nothing that is there to be copied', () => {
    const lines = short(severalCauses, 80).split('\n')
    const long = lines.filter((line) => line.length > 80)
    expect(long.filter((line) => !/^ {4}|^ {2}Reproduce|^hookproof /.test(line))).toEqual([])
  })

  it('has one card for each cause, and counts the other failures', () => {
    const text = short(severalCauses)
    expect(text).toMatch(/^Not conformant, grade F\. 40 of 60 failures have 3 causes\.$/m)
    for (const { sentence } of causes) expect(text.split(sentence)).toHaveLength(2)
    expect(text).toMatch(/^x The receiver is wrong about body_trimmed .* \[security, 20 failures\]$/m)
    expect(text).toContain('other failures, 9 warnings. More code and all details: --verbose')
  })

  it('has a card with the impact of a failure without a cause', () => {
    const text = short(madeReport(made(1)))
    expect(text).toMatch(
      /^x Anyone can report a payment \(SPEC\.md 5\.1\)\. \[security, 1 failure\]\n {2}Fix {7}Fix 0\.\n/m,
    )
    expect(text).toContain('  Expected  the delivery is refused\n  Received  status 200\n  Reproduce npx ')
  })

  it('shows the fix of each warning when there are few', () => {
    const few = short(madeReport(warnings.slice(0, 2)))
    expect(few.match(/^ {4}Fix {7}\S/gm)).toHaveLength(2)
    expect(short(madeReport(warnings))).not.toContain('    Fix')
  })

  it('lists the most severe warnings first', () => {
    const [mild, severe] = [
      madeFailure('events/mild', 'protocol', { outcome: 'warning', level: 'SHOULD' }),
      madeFailure('events/severe', 'security', { outcome: 'warning', level: 'SHOULD' }),
    ]
    for (const render of [renderTerminal, short, renderMarkdown, renderHtml]) {
      const text = render(madeReport([mild, severe]))
      expect(text.indexOf('events/severe')).toBeLessThan(text.indexOf('events/mild'))
    }
  })

  it('says in its first and its last line that the bundled receiver was graded', () => {
    const report = madeReport([madeVerdict()], { target: { url: 'http://127.0.0.1:1/', started: true } })
    const lines = short(report).trimEnd().split('\n')
    for (const line of [lines[0], lines.at(-1)])
      expect(line).toMatch(/This is the bundled reference receiver: pass a URL to grade yours\.$/)
  })
})

test('a conformant result says what it does not show, in every format for people', () => {
  const report = madeReport(
    [madeVerdict(), madeVerdict({ case: 'events/x', level: 'SHOULD', outcome: 'untested', reason: 'odd' })],
    {
      profile: 'core',
      excluded: [
        { case: 'effects/a', code: 'full_profile', reason: 'needs the full profile' },
        { case: 'bypass/b', code: 'live_mode', reason: 'needs live mode' },
      ],
    },
  )
  for (const render of [renderTerminal, renderHtml, renderMarkdown]) {
    const text = render(report).replaceAll(/&#(\d+);/g, (_, code: string) =>
      String.fromCodePoint(Number(code)),
    )
    expect(text).toContain('No result for 1 SHOULD case.')
    expect(text).toMatch(/Not tested: side effects such as double fulfillment \(1 case: /)
  }
})
