import { describe, expect, it } from 'vitest'
import { check } from '../../../conformance/check.ts'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import { MUTANTS } from '../../mutants/mutants.ts'
import { settingOf } from '../../mutants/proof/grade.ts'
import { smallReceiver } from '../small-receiver.ts'
import { SECRET } from '../support.ts'

/** The report of a receiver whose responses do not show its framework. */
async function reportOf(mistake: string, ...only: string[]) {
  const mutant = MUTANTS[mistake]
  if (mutant === undefined) throw new Error(`there is no mutant "${mistake}"`)
  const { url } = await smallReceiver(settingOf(mutant))
  return check({ url, secret: SECRET, only, profile: 'core' })
}

describe('where a cause gives its language away, the report has the code of its most common framework, and the command for the others', () => {
  it.each([
    ['serializes with json.dumps before it verifies', 'flask', 'Example in Flask', 'django (or fastapi)'],
    ['serializes a sorted map before it verifies', 'go', 'Example in Go', undefined],
    ['re-serializes the body', 'express', 'Example in Express', 'fastify (or next, nest, hono, koa)'],
  ])('%s', async (mistake, framework, title, others) => {
    const report = await reportOf(mistake, 'body-bytes/*')
    expect(report.causes?.[0]?.code).toBe('body_reserialized')
    expect(report.framework).toBe(framework)
    for (const text of [renderTerminal(report), renderTerminal(report, { short: true })]) {
      expect(text).toContain(title)
      expect(text).not.toContain('Code for your framework')
      const [, other] =
        /^Code for another framework: npx hookproof explain body_reserialized --framework (.*\n?.*\))/m.exec(
          text,
        ) ?? []
      expect(other?.replace(/\s+/g, ' ')).toBe(others)
    }
    const narrow = renderTerminal(report, { short: true, columns: 80 }).trimEnd()
    expect(narrow).toMatch(/raw bytes/i)
    expect(narrow.split('\n').length).toBeLessThanOrEqual(40)
    const [line] = /The cause:[^.]*$/m.exec(renderTerminal(report, { short: true })) ?? []
    expect(line?.replace(/\s+/g, ' ')).toContain(
      `npx hookproof explain body_reserialized --framework ${framework}`,
    )
  })
})

it('otherwise a report has the command that prints the code for a framework', async () => {
  const report = await reportOf('verifies nothing', 'refusals/*', 'transport/posted-*')
  expect(report.framework).toBeUndefined()
  const line =
    /^Code for your framework: npx hookproof explain no_verification --framework express \(or fastify, /m
  expect(renderTerminal(report)).toMatch(line)
  expect(renderTerminal(report, { short: true })).toMatch(line)
  expect(renderHtml(report).replaceAll(/<[^>]*>/g, '')).toContain(
    'explain no_verification --framework express',
  )
  expect(renderMarkdown(report)).toContain('**Code for your framework:** `npx hookproof explain no')
})
