import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { renderTerminal } from '../../../conformance/report/terminal.ts'
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
