import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readLibraries } from '../../../scripts/libraries/library.ts'
import { readResults } from '../../../scripts/shared/results.ts'
import { contractPages } from '../../../scripts/site/cases.ts'
import { matrixPage } from '../../../scripts/site/pages.ts'
import { searchable } from '../../../site/.vitepress/search.mts'

describe('the index of the search', () => {
  it('has of a case its title, impact and fix, and neither its sample nor its frameworks', () => {
    const page = contractPages().get('cases/transport/chunked-in-two.md') ?? ''
    const text = searchable(page, 'site/pages/cases/transport/chunked-in-two.md')
    expect(page).toContain('## What is sent')
    expect(page).toContain('in these stacks')
    expect(text).toContain('(case of requirement 1.5) {#chunked-in-two}')
    expect(text).toContain('**Fix:**')
    expect(text).not.toMatch(/## What|in these stacks|POST \/webhooks/)
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

/** The last results of the receivers of the payment service, by name: the matrix has no others. */
function resultsOfMatrix() {
  const others = new Set(readLibraries().flatMap(({ name, service }) => (service === undefined ? [] : name)))
  const all = Object.entries({ ...readResults('examples'), ...readResults('libraries') })
  return all.filter(([name]) => !others.has(name))
}

it('the matrix has a cell for each receiver and section, with what its result says', () => {
  const rows = (matrixPage().get('matrix.md') ?? '').split('\n').filter((line) => line.startsWith('| ['))
  const all = resultsOfMatrix()
  expect(rows).toHaveLength(all.length)
  const texts = rows.map((row) => row.replaceAll(/<[^>]*>|\]\(#[^)]*\)|\[/g, ''))
  for (const [, { passed, others }] of all) {
    const cells = Object.entries(passed).map(([section, count]) => {
      const outcomes = Object.entries(others).flatMap(([id, outcome]) =>
        id.startsWith(`${section}/`) ? outcome : [],
      )
      const isFailed = outcomes.some((outcome) => outcome !== 'warning')
      const mark = outcomes.length === 0 ? '' : isFailed ? ' ✗' : ' !'
      return `${count}/${count + outcomes.length}${mark}`
    })
    expect(texts.filter((text) => text.endsWith(`| ${cells.join(' | ')} |`)).length).toBeGreaterThan(0)
  }
})

it('the page lists each case that did not pass, below the anchor to which its cell links', () => {
  const text = matrixPage().get('matrix.md') ?? ''
  for (const [name, { others }] of resultsOfMatrix())
    for (const [id, outcome] of Object.entries(others)) {
      const anchor = `${name}-${id.replace(/\/.*/, '')}`
      const [, list = ''] = text.split(`{#${anchor}}`)
      expect(text).toContain(`](#${anchor})`)
      expect(list.split('\n#')[0]).toContain(`- ${outcome}: [\`${id}\`](/cases/${id}).`)
    }
})
