import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { failedIn, grade, some, wrong } from './graded.ts'
import { madeFailure, madeReport } from './made.ts'

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
    for (const { case: id, spec, impact, fix, problems, reproduce } of failedIn(graded)) {
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
      expect(rows.at(-1)).toBe(`    Reproduce ${reproduce}`)
    }
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
    expect(last(renderTerminal(await grade({}, { profile: 'core' })))).toMatch(
      /^Conformant in the core profile: .*\nSide effects such as double fulfillment were not tested\.(\n|$)/,
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
  const failures = Array.from({ length: 30 }, (_, n) => madeFailure(`refusals/case-${n}`, 'security'))
  const warnings = Array.from({ length: 9 }, (_, n) =>
    madeFailure(`events/case-${n}`, 'protocol', { outcome: 'warning', level: 'SHOULD' }),
  )
  const detailed = (text: string) => text.match(/^ {4}Expected /gm)?.length

  it('has the details of a few failures and names some others', () => {
    const text = renderTerminal(madeReport([...failures, ...warnings]), { short: true })
    expect(detailed(text)).toBe(8)
    expect(text).toContain('Other failures: 22\n  refusals/case-8: status 200\n')
    expect(text).toContain('  and 17 more (--report html=report.html has all of them with their details)')
    expect(text).toContain('Warnings (SHOULD requirements not met): 9\n  events/case-0: status 200\n')
    expect(detailed(renderTerminal(madeReport([...failures, ...warnings])))).toBe(39)
  })

  it('has the details of one failure for each cause', () => {
    const cause = (code: string, cases: string[]) => ({
      code,
      sentence: 'It is wrong.',
      fix: 'Fix it.',
      cases,
    })
    const ids = failures.map(({ case: id }) => id)
    const causes = [cause('body_trimmed', ids.slice(0, 20)), cause('clock_off', ids.slice(20))]
    const text = renderTerminal(madeReport(failures, { causes, diagnosis: '30 failures.' }), { short: true })
    expect(detailed(text)).toBe(2)
    expect(text).toContain('Other failures: 28')
  })
})
