import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { type Explanation, judge, type MutationReport } from '../../scripts/tools/mutation-verdict.ts'

const FILE = 'receiver/small.ts'
const SOURCE = 'export function older(age) {\n  return age > 300\n}\n'

type Mutant = MutationReport['files'][string]['mutants'][number]

/** The mutant that turns `>` into `>=`. */
function mutant(about: Partial<Mutant> = {}): Mutant {
  const location = { start: { line: 2, column: 10 }, end: { line: 2, column: 19 } }
  return {
    mutatorName: 'EqualityOperator',
    replacement: 'age >= 300',
    location,
    status: 'Survived',
    ...about,
  }
}

const explanation: Explanation = {
  file: FILE,
  mutator: 'EqualityOperator',
  before: 'return age > 300',
  after: 'return age >= 300',
  reason: 'No age is exactly 300.',
}

const judged = (mutants: readonly Mutant[], explanations: readonly Explanation[] = [], source = SOURCE) =>
  judge({ files: { [FILE]: { source, mutants } } }, explanations, [FILE])

describe('a mutant', () => {
  it('is not a problem when a test kills it', () => {
    expect(judged([mutant({ status: 'Killed' })])).toEqual({
      rows: [{ file: FILE, mutants: 1, killed: 1, explained: 0, survive: 0 }],
      problems: [],
    })
  })

  it('is a problem when it survives, reported with its location and its change', () => {
    expect(judged([mutant(), mutant({ status: 'Killed', replacement: 'false' })])).toEqual({
      rows: [{ file: FILE, mutants: 2, killed: 1, explained: 0, survive: 1 }],
      problems: [`${FILE}:2: no test fails: EqualityOperator: return age > 300 -> return age >= 300`],
    })
  })

  it.each([
    ['NoCoverage', 'no test runs it'],
    ['Timeout', 'the tests did not end in time'],
    ['Ignored', 'it was not tried (Ignored)'],
    ['RuntimeError', 'it was not tried (RuntimeError)'],
  ])('is a problem when its status is %s', (status, words) => {
    const { rows, problems } = judged([mutant({ status })])
    expect(rows).toMatchObject([{ killed: 0, survive: 1 }])
    expect(problems).toEqual([expect.stringContaining(words)])
  })

  it.each<[string, Explanation]>([
    ['Survived', explanation],
    ['NoCoverage', explanation],
    ['Timeout', { ...explanation, endless: true }],
  ])('is not a problem when it is explained: %s', (status, explanation) => {
    expect(judged([mutant({ status })], [explanation])).toEqual({
      rows: [{ file: FILE, mutants: 1, killed: 0, explained: 1, survive: 0 }],
      problems: [],
    })
  })

  it('still matches its explanation after it has moved and been indented', () => {
    const moved = { start: { line: 5, column: 14 }, end: { line: 5, column: 23 } }
    const source = `// A word\n// or two\nclass Ages {\n  older(age) {\n      return age > 300\n  }\n}\n`
    expect(judged([mutant({ location: moved })], [explanation], source).problems).toEqual([])
  })

  it('is distinguished from another on the same line', () => {
    const source = 'const same = a === b && b === c\n'
    const at = (column: number, replacement: string) =>
      mutant({ replacement, location: { start: { line: 1, column }, end: { line: 1, column: column + 7 } } })
    const before = 'const same = a === b && b === c'
    const first = { ...explanation, before, after: 'const same = a !== b && b === c' }
    const both = [at(14, 'a !== b'), at(25, 'b !== c')]
    expect(judged(both, [first], source).problems).toEqual([
      `${FILE}:1: no test fails: EqualityOperator: ${before} -> const same = a === b && b !== c`,
    ])
  })

  it('of several lines is reported and explained in one line', () => {
    const block = mutant({
      mutatorName: 'BlockStatement',
      replacement: '{}',
      location: { start: { line: 1, column: 28 }, end: { line: 3, column: 2 } },
    })
    const before = 'export function older(age) { ... }'
    const after = 'export function older(age) {}'
    expect(judged([block]).problems).toEqual([
      `${FILE}:1: no test fails: BlockStatement: ${before} -> ${after}`,
    ])
    const explained = { ...explanation, mutator: 'BlockStatement', before, after }
    expect(judged([block], [explained]).problems).toEqual([])
  })
})

describe('an explanation', () => {
  it.each<[string, string, Partial<Explanation>]>([
    ['of an endless loop explains no mutant that ends', 'Survived', { endless: true }],
    ['that mentions no endless loop explains no mutant that timed out', 'Timeout', {}],
  ])('%s', (_, status, about) => {
    const { rows, problems } = judged([mutant({ status })], [{ ...explanation, ...about }])
    expect(rows).toMatchObject([{ explained: 0, survive: 1 }])
    expect(problems).toHaveLength(2)
  })

  it('explains one mutant, and not a second one of the same text', () => {
    const source = 'return age > 300\n'.repeat(2)
    const at = (line: number) =>
      mutant({ location: { start: { line, column: 8 }, end: { line, column: 17 } } })
    expect(judged([at(1), at(2)], [explanation], source).problems).toEqual([
      expect.stringContaining(`${FILE}:2: no test fails`),
    ])
    expect(judged([at(1), at(2)], [explanation, { ...explanation }], source).problems).toEqual([])
  })

  it.each<[string, Partial<Explanation>]>([
    ['in another file', { file: 'receiver/other.ts' }],
    ['of another mutator', { mutator: 'ConditionalExpression' }],
    ['of another line', { before: 'return age > 30' }],
    ['of another change', { after: 'return age < 300' }],
  ])('%s explains nothing, and is stale', (_, other) => {
    const { rows, problems } = judged([mutant()], [{ ...explanation, ...other }])
    expect(rows).toMatchObject([{ explained: 0, survive: 1 }])
    expect(problems).toEqual([
      expect.stringContaining('no test fails'),
      expect.stringMatching(/is stale: such a mutant is killed or gone/),
    ])
  })

  it('is stale once a test kills its mutant', () => {
    const { rows, problems } = judged([mutant({ status: 'Killed' })], [explanation])
    expect(rows).toMatchObject([{ killed: 1, explained: 0 }])
    expect(problems).toEqual([
      `${FILE}: the explanation of EqualityOperator: return age > 300 -> return age >= 300: ` +
        'is stale: such a mutant is killed or gone. Remove it.',
    ])
  })

  it('is stale when it is given twice', () => {
    expect(judged([mutant()], [explanation, { ...explanation }]).problems).toEqual([
      expect.stringContaining('is stale'),
    ])
  })

  it.each([[undefined], [''], [' ']])('needs a reason, which %j is not', (reason) => {
    const { reason: _, ...bare } = explanation
    const problems = judged([mutant()], [reason === undefined ? bare : { ...bare, reason }]).problems
    expect(problems).toEqual([expect.stringContaining('gives no reason')])
  })
})

test.each([
  ['is absent from the report', {}],
  ['has no mutants', { [FILE]: { source: SOURCE, mutants: [] } }],
])('a file that %s is a problem', (_, files) => {
  expect(judge({ files }, [], [FILE]).problems).toEqual([expect.stringContaining(`${FILE}: has no mutants`)])
})

// The mutation run is slow; this test fails at once when the code of an explanation has changed.
describe('the explanations that are committed', () => {
  const path = new URL('equivalent.json', import.meta.url)
  const all = JSON.parse(readFileSync(path, 'utf8')) as Explanation[]

  test.each(all.map((explanation) => [explanation.file, explanation.before, explanation] as const))(
    '%s still has: %s',
    (file, before, { after, reason }) => {
      const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
      const lines = source.split('\n').map((line) => line.trim())
      expect(lines).toContain(before.split(' ... ').at(0))
      expect(after).not.toBe(before)
      expect(reason).toMatch(/^[A-Z].*\.$/)
    },
  )
})
