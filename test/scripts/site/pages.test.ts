import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readResults } from '../../../scripts/shared/results.ts'
import { wrongCells } from '../../../scripts/site/built.ts'
import { contractPages } from '../../../scripts/site/cases.ts'
import { matrixPage } from '../../../scripts/site/pages.ts'
import { searchable } from '../../../site/.vitepress/search.mts'

describe('the index of the search', () => {
  it('has of a case its title, impact and fix, and neither its sample nor its frameworks', () => {
    const page = contractPages().get('cases/transport/chunked-in-two.md') ?? ''
    const text = searchable(page, 'site/pages/cases/transport/chunked-in-two.md')
    expect(page).toContain('## What is sent')
    expect(text).toContain('(case of requirement 1.5) {#chunked-in-two}')
    expect(text).toContain('**Fix:**')
    expect(text).not.toMatch(/## What|Django|POST \/webhooks/)
  })

  it('has the exports of the API without their members', () => {
    const page =
      '# m\n\n## Interfaces\n\n### A\n\nText of A.\n\n#### Properties\n\n##### b\n\nText.\n\n### C\n\nText of C.\n'
    expect(searchable(page, 'site/pages/api/m.md')).toBe(
      '# m\n\n## Interfaces\n\n### A\n\nText of A.\n\n### C\n\nText of C.\n',
    )
  })

  it('adds words to headings of the docs, and keeps their addresses', () => {
    const text = searchable(readFileSync('SPEC.md', 'utf8'), 'SPEC.md')
    expect(text).toContain(
      '## 3. Time window (timestamp too old, timestamp in the future) {#3-time-window}\n',
    )
    expect(() => searchable('# Another page\n', 'SPEC.md')).toThrow('the search finds no heading')
  })
})

it('no marker of a number starts a line of text: the paragraph would end before it, on GitHub too', () => {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`)
  const pages = ['README.md', 'receiver/README.md', 'SPEC.md', ...docs].filter((file) => file.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.filter((file) => /^<!-- [nw]:/m.test(readFileSync(file, 'utf8')))).toEqual([])
})

const RESULTS = {
  one: {
    profile: 'core',
    conclusion: 'not-conformant',
    passed: { 'time-window': 3, refusals: 4, robustness: 5 },
    others: { 'time-window/a': 'failed', 'time-window/b': 'warning', 'refusals/a': 'warning' },
  },
}
const TITLES = new Map([['One & only', 'one']])
const page = (...cells: string[]): string =>
  `<table><thead><tr><th>receiver</th><th>Time window</th><th>Refusals</th><th>Robustness</th></tr></thead>
<tbody><tr><td><a href="/x">One &amp; only</a></td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></tbody></table>`

it('accepts cells that agree with the results', () => {
  const html = page('<span><a href="#x">3/5 ✗</a></span>', '<span>4/5 !</span>', '5/5')
  expect(wrongCells(html, RESULTS, TITLES)).toEqual([])
})

it('reports a wrong count, a wrong mark, an empty cell, a missing row and a doubled one', () => {
  expect(wrongCells(page('3/4 ✗', '4/5', ''), RESULTS, TITLES)).toEqual([
    'one: shows “3/4 ✗” for Time window, expected “3/5 ✗”',
    'one: shows “4/5” for Refusals, expected “4/5 !”',
    'one: shows “” for Robustness, expected “5/5”',
  ])
  expect(wrongCells('', RESULTS, TITLES)).toEqual(['one: has 0 rows in the matrix'])
  expect(wrongCells(page() + page(), RESULTS, TITLES)).toEqual(['one: has 2 rows in the matrix'])
})

it('the page lists each case that did not pass, below the anchor to which its cell links', () => {
  const text = matrixPage().get('matrix.md') ?? ''
  for (const kind of ['examples', 'libraries'] as const)
    for (const [name, { others }] of Object.entries(readResults(kind)))
      for (const [id, outcome] of Object.entries(others)) {
        const anchor = `${name}-${id.replace(/\/.*/, '')}`
        const [, list = ''] = text.split(`{#${anchor}}`)
        expect(text).toContain(`](#${anchor})`)
        expect(list.split('\n#')[0]).toContain(`- ${outcome}: [\`${id}\`](/cases/${id}).`)
      }
})
