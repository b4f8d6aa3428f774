import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SERVICES } from '../../conformance/contracts/services.ts'
import { readLibraries, serviceOf, withLibraries } from '../../scripts/libraries/library.ts'
import { readResults } from '../../scripts/shared/results.ts'

const libraries = readLibraries()
const page = readFileSync('docs/libraries.md', 'utf8')

test('docs/libraries.md has a row for each library, with its version', () => {
  expect(withLibraries(page, libraries, readResults('libraries'))).toBe(page)
  for (const { title, version, language } of libraries) {
    expect(page).toMatch(new RegExp(`\\| \\[${title}\\]\\([^)]+\\) \\| ${version} \\| ${language} \\|`))
  }
})

test('a receiver has at most forty lines, and the notes name cases', () => {
  for (const library of libraries) {
    const { folder, file, notes } = library
    const ids = SERVICES[serviceOf(library)].cases.map(({ id }) => id)
    expect(existsSync(join(folder, file)), file).toBe(true)
    expect(readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length, folder).toBeLessThanOrEqual(
      40,
    )
    for (const id of notes.flatMap(({ cases }) => cases)) expect(ids, folder).toContain(id)
  }
})

test('the libraries of another service pass every MUST of its contract, or the harm is shown; each warning has its reason', () => {
  const results = readResults('libraries')
  for (const { name, service, notes } of libraries) {
    if (service === undefined) continue
    const others = Object.entries(results[name]?.others ?? { 'not graded': 'failed' })
    const harmful = notes.flatMap(({ cases, harm }) => (harm === undefined ? [] : cases))
    for (const [id, outcome] of others) if (outcome !== 'warning') expect(harmful, name).toContain(id)
    const explained = notes.flatMap(({ cases }) => cases)
    for (const [id] of others) expect(explained, name).toContain(id)
  }
})

test('a library has its counts, and a section with what decides the cases that it did not pass', () => {
  const [first] = libraries
  if (first === undefined) throw new Error('there are no libraries')
  const library = { ...first, notes: [{ cases: ['a/b'], fact: 'It does this', source: 'https://x' }] }
  const others = { 'a/b': 'failed', 'a/c': 'failed', 'a/d': 'warning' }
  const written = (cases: Readonly<Record<string, string>>) =>
    withLibraries(page, [library], {
      [first.name]: { profile: 'core', conclusion: 'not-conformant', passed: { a: 1 }, others: cases },
    })
  expect(written(others)).toContain('| 1 of 4 | 2 | 1 |')
  expect(written(others)).toContain(
    '- It does this ([source](https://x)). Fails `a/b`.\n- Also fails `a/c`.\n- Also a warning in `a/d`.',
  )
  const note = { cases: ['a/b', 'a/c'], fact: 'It ends', source: 'https://x', harm: 'Anyone can end it.' }
  expect(
    withLibraries(page, [{ ...library, notes: [note] }], {
      [first.name]: {
        profile: 'core',
        conclusion: 'not-conformant',
        passed: {},
        others: { 'a/b': 'failed', 'a/c': 'untested' },
      },
    }),
  ).toContain('- It ends ([source](https://x)). Fails `a/b`; `a/c` are then not tested. Anyone can end it.\n')
  expect(written({})).not.toContain(`### ${first.title}`)
  expect(withLibraries(page, [library], {})).toContain('| not graded |  |  |')
})
