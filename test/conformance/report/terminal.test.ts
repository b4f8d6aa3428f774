import { execFile } from 'node:child_process'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckOptions, check } from '../../../conformance/check.ts'
import { renderTerminal } from '../../../conformance/report/terminal.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { serve } from '../servers.ts'
import { SECRET } from '../support.ts'
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

describe('the command that reproduces a failure', () => {
  /** The words of the command, as a shell splits them. */
  const wordsOf = async (command: string | null | undefined): Promise<string[]> => {
    expect(command).toMatch(/^npx hookproof /)
    const { stdout } = await promisify(execFile)('/bin/sh', [
      '-c',
      `printf '%s\\n' ${String(command).replace('npx hookproof ', '')}`,
    ])
    return stdout.trimEnd().split('\n')
  }
  const reproduce = async (options: Partial<CheckOptions>, path = '') => {
    const { url } = await serve((_, response) => response.end())
    const only = ['refusals/another-secret']
    const report = await check({ url: `${url}/hooks${path}`, secret: SECRET, only, seed: 's1', ...options })
    return { words: await wordsOf(report.verdicts[0]?.reproduce), url: `${url}/hooks${path}` }
  }
  const id = 'refusals/another-secret'

  it('has the case, the URL and the seed', async () => {
    const { words, url } = await reproduce({})
    expect(words).toEqual(['send', id, url, '--seed', 's1'])
  })

  it('has a non-default signature header and live mode', async () => {
    const { words, url } = await reproduce({ signatureHeader: 'X-Own', mode: 'live' })
    expect(words).toEqual(['send', id, url, '--seed', 's1', '--signature-header', 'X-Own', '--mode', 'live'])
  })

  it('runs the check when the run had started the receiver', async () => {
    expect((await reproduce({ started: true })).words).toEqual(['check', '--only', id, '--seed', 's1'])
  })

  it('quotes a query and a seed with spaces for the shell', async () => {
    const { words, url } = await reproduce({ seed: `it's $HOME & "more"` }, '?shop=1&lang=en')
    const shown = url.replace('?shop=1&lang=en', '?shop=[not shown]&lang=[not shown]')
    expect(words).toEqual(['send', id, shown, '--seed', `it's $HOME & "more"`])
  })

  it('has the names of extra headers and query parameters, but not their values', async () => {
    const { words } = await reproduce({ headers: [['X-Gate', 'open sesame']] }, '?token=f00ba4f00ba4')
    expect(words).toEqual(expect.arrayContaining(['--header', 'X-Gate: [not shown]']))
    expect(words.join(' ')).not.toMatch(/sesame|f00ba4/)
  })

  it('hides a secret in the URL', async () => {
    const { words } = await reproduce({}, `/${SECRET}`)
    expect(words.join(' ')).not.toContain(SECRET)
  })

  it('exists for failures and warnings only', () => {
    for (const { outcome, reproduce: command } of graded.verdicts)
      expect(command === null).toBe(outcome === 'passed' || outcome === 'untested')
  })
})
