import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import { readLibraries, withResults } from '../../scripts/libraries/library.ts'

const libraries = readLibraries()
const page = readFileSync('docs/libraries.md', 'utf8')

test('docs/libraries.md has a row for each library, with its version', () => {
  expect(withResults(page, libraries, new Map())).toBe(page)
  for (const { title, version, language } of libraries) {
    expect(page).toMatch(new RegExp(`\\| \\[${title}\\]\\([^)]+\\) \\| ${version} \\| ${language} \\|`))
  }
})

test('a receiver has at most forty lines, and the notes name cases', () => {
  const ids = new Set<string>(CATALOGUE.map(({ id }) => id))
  for (const { folder, file, notes } of libraries) {
    expect(existsSync(join(folder, file)), file).toBe(true)
    expect(readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length, folder).toBeLessThanOrEqual(
      40,
    )
    for (const id of notes.flatMap(({ cases }) => cases)) expect(ids, folder).toContain(id)
  }
})

test('a result replaces the row and the section of its library only, with what decides', () => {
  const [first, second] = libraries
  if (first === undefined || second === undefined) throw new Error('there are no libraries')
  const library = { ...first, notes: [{ cases: ['a/b'], fact: 'It does this', source: 'https://x' }] }
  const results = new Map([[first.name, { passed: 1, all: 4, failed: ['a/b', 'a/c'], warned: ['a/d'] }]])
  const written = withResults(page, [library, second], results)
  expect(written).toContain('| 1 of 4 | 2 | 1 |')
  expect(written).toContain(
    '- It does this ([source](https://x)). Fails `a/b`.\n- Also fails `a/c`.\n- Also a warning in `a/d`.',
  )
  expect(withResults(written, [library, second], new Map())).toBe(written)
})
