import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contractPages } from '../../../scripts/site/cases.ts'
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
