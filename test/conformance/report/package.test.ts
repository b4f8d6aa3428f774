import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderJunit } from '../../../conformance/report/junit.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { causeUrl, docsUrl } from '../../../conformance/report/package.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import { explain } from '../../../runners/message.ts'
import { madeFailure, madeReport } from './made.ts'

const ID = 'refusals/another-secret'
const URL = docsUrl(ID)

test('the address of a case is below the homepage of the package', () => {
  const { homepage } = JSON.parse(readFileSync('package.json', 'utf8')) as { homepage: string }
  expect(URL).toBe(`${homepage}cases/${ID}`)
})

test('every report links a failed case to its documentation', () => {
  const report = madeReport([madeFailure(ID, 'security', { docsUrl: URL })])

  expect(renderTerminal(report)).toContain(`  Docs      ${URL}\n`)
  expect(renderTerminal(report, { short: true })).toContain(`  Docs      ${URL}\n`)
  expect(renderHtml(report)).toContain(`<a href="${URL}">Documentation of this case</a>`)
  expect(renderJunit(report)).toContain(`Docs: ${URL}`)
  expect(renderMarkdown(report)).toContain(`- [\`${ID}\`](${URL}): `)
})

test('every report links a cause to its page, at the framework if that is known', () => {
  const url = causeUrl('no_verification', 'express')
  const cause = { code: 'no_verification', sentence: 'It is X.', fix: 'Do Y.', cases: [ID], docsUrl: url }
  const failure = madeFailure(ID, 'security')
  const report = madeReport([failure], { causes: [cause], diagnosis: '1 failure: it is X.' })

  expect(url).toMatch(/\/causes\/no_verification#express$/)
  expect(renderTerminal(report)).toContain(`  Fix       Do Y.\n  Docs      ${url}\n`)
  expect(renderTerminal(report, { short: true })).toContain(`  Fix       Do Y.\n  Docs      ${url}\n`)
  expect(renderHtml(report)).toContain(`<a href="${url}">About this cause</a>`)
  expect(renderJunit(report)).toContain(`It is X.\nDocs: ${url}\n`)
  expect(renderMarkdown(report)).toContain(`**Docs:** [About this cause](${url})`)
  expect(explain(failure, report, true)).toContain(`  Fix       Compare the signatures.\n  Docs      ${url}`)
})

test('a report of an older version, without addresses, has no links', () => {
  const report = madeReport([madeFailure(ID, 'security')])

  expect(renderTerminal(report)).not.toContain('Docs')
  expect(renderHtml(report)).not.toContain('Documentation of this case')
  expect(renderJunit(report)).not.toContain('Docs')
  expect(renderMarkdown(report)).not.toContain('](')
})

/** Markdown escapes every character that could have a meaning. */
