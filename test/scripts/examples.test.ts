import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readExamples } from '../../scripts/examples/example.ts'
import { withExamples } from '../../scripts/examples/table.ts'
import { outdatedResults, readResults } from '../../scripts/shared/results.ts'

const page = readFileSync('docs/examples.md', 'utf8')
const examples = readExamples()

test('docs/examples.md has a row for each example, with its lines, its versions and its last result', () => {
  expect(withExamples(page, examples, readResults('examples'))).toBe(page)
  expect(withExamples(page, examples, {})).toContain('| not graded |')
})

test('a row shows the length of an example, and counts the cases that did not all pass', () => {
  const [first] = examples
  if (first === undefined) throw new Error('there is no example')
  const passed = { profile: 'full', conclusion: 'conformant', acknowledgedInMs: 1.25, passed: { events: 2 } }
  const rowOf = (others: Readonly<Record<string, string>>) =>
    withExamples(page, [{ ...first, lines: 99 }], { [first.name]: { ...passed, others } })
  expect(rowOf({})).toMatch(/\| 99 \|.*\| conformant \| 1\.3 ms \|\n<!--/)
  expect(rowOf({ 'events/failed': 'warning' })).toContain('| conformant, 2 of 3 cases | 1.3 ms |')
})

test('the kept results are out of date when a case has another outcome, and not when there are more cases', () => {
  const last = { profile: 'full', conclusion: 'conformant', passed: { events: 2 }, others: {} }
  const outdated = (now: Partial<typeof last>) =>
    outdatedResults({ flask: last }, new Map([['flask', { ...last, ...now }]]))
  expect(outdated({ passed: { events: 3 } })).toEqual([])
  expect(outdated({ others: { 'events/failed': 'warning' } })).toEqual(['flask'])
  expect(outdated({ conclusion: 'not-conformant' })).toEqual(['flask'])
  expect(outdatedResults({}, new Map([['flask', last]]))).toEqual(['flask'])
})

test('an unknown example is an error that lists the known ones', () => {
  expect(() => readExamples(['cobol'])).toThrow(/no example cobol; there are .*express, /)
})

describe.each(examples.map((example) => [example.name, example] as const))('examples/%s', (_, example) => {
  const readme = readFileSync(join(example.folder, 'README.md'), 'utf8')

  test('is a file of at most 120 lines', () => {
    expect(example.lines).toBeLessThanOrEqual(120)
  })

  test('has a README with the commands that grade it', () => {
    for (const command of [example.install, example.start]) {
      if (command !== 'true') expect(readme).toContain(command)
    }
    expect(readme).toContain(`](${example.file})`)
    expect(readme).toContain('**The trap:**')
  })

  test('pins the versions of the table', () => {
    const files = readdirSync(example.folder).filter((name) =>
      /^(package\.json|requirements\.txt|go\.mod|Cargo\.toml|pom\.xml|serve\.sh)$/.test(name),
    )
    const paths = files.map((name) => join(example.folder, name))
    if (example.ours === true) paths.push('receiver/package.json')
    const text = paths.map((path) => readFileSync(path, 'utf8')).join('\n')
    for (const version of Object.values(example.packages)) expect(text).toContain(version)
  })
})

interface Wrangler {
  readonly main: string
  readonly compatibility_date: string
  readonly durable_objects: { readonly bindings: readonly { name: string; class_name: string }[] }
  readonly migrations: readonly { tag: string; new_sqlite_classes: readonly string[] }[]
}

test('wrangler.jsonc of the Workers example says what the graded workerd.capnp says', () => {
  const read = (name: string) => readFileSync(`examples/workers/${name}`, 'utf8')
  const wrangler = JSON.parse(read('wrangler.jsonc')) as Wrangler
  const workerd = read('workerd.capnp')
  const all = (pattern: RegExp) => [...workerd.matchAll(pattern)].map((match) => match.slice(1))
  expect(all(/esModule = embed "([^"]+)"/g)).toEqual([[wrangler.main]])
  expect(all(/compatibilityDate = "([^"]+)"/g)).toEqual([[wrangler.compatibility_date]])
  const bindings = wrangler.durable_objects.bindings.map(({ name, class_name }) => [name, class_name])
  expect(all(/\(name = "(\w+)", durableObjectNamespace = "(\w+)"\)/g)).toEqual(bindings)
  const classes = wrangler.migrations.flatMap(({ new_sqlite_classes }) => new_sqlite_classes)
  expect(all(/className = "(\w+)", uniqueKey = "\w+", enableSql = true/g)).toEqual(
    classes.map((name) => [name]),
  )
  for (const name of classes)
    expect(read(wrangler.main)).toContain(`export class ${name} extends DurableObject`)
  // The secret is no variable: it would be in the repository.
  expect(wrangler).not.toHaveProperty('vars')
})
