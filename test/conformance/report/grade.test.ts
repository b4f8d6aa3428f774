import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { GRADES, type Graded, grade, type Letter } from '../../../conformance/report/grade.ts'

type Row = Graded['verdicts'][number]

const passed: Row = { level: 'MUST', outcome: 'passed', severity: null }
const many = Array.from({ length: 9 }, () => passed)
const failed = (severity: Row['severity']): Row => ({ level: 'MUST', outcome: 'failed', severity })
const untested = (level: Row['level']): Row => ({ level, outcome: 'untested', severity: null })
const warning = (severity: Row['severity']): Row => ({ level: 'SHOULD', outcome: 'warning', severity })
const all = { only: [], skip: [] }
const ORDER: readonly Letter[] = ['A+', 'A', 'B', 'C', 'D', 'F']

const ROWS: readonly [what: string, letter: Letter, verdicts: readonly Row[], about?: Partial<Graded>][] = [
  ['all passed', 'A+', many],
  ['all passed in the core profile', 'A', many, { profile: 'core' }],
  ['a warning', 'A', [...many, warning('protocol')]],
  ['a warning that affects security', 'A', [...many, warning('security')]],
  ['a SHOULD untested', 'A', [...many, untested('SHOULD')]],
  ['a MUST untested', 'B', [...many, untested('MUST')]],
  ['only some cases', 'B', many, { selection: { only: ['events'], skip: [] } }],
  ['skipped cases', 'B', many, { selection: { only: [], skip: ['events/*'] } }],
  ['a protocol failure', 'C', [...many, failed('protocol')]],
  ['a failure of no known severity', 'C', [...many, failed(null)]],
  ['a protocol failure and a MUST untested', 'C', [...many, failed('protocol'), untested('MUST')]],
  ['a money failure', 'D', [...many, failed('protocol'), failed('money')]],
  ['a security failure', 'F', [...many, failed('money'), failed('security')]],
  [
    'a security failure among selected cases',
    'F',
    [...many, failed('security')],
    { selection: { ...all, only: ['x'] } },
  ],
  ['one more passed than failed', 'C', [passed, passed, failed('protocol')]],
  ['as many failed as passed', 'F', [passed, failed('protocol')]],
  ['nothing tested', 'F', [untested('MUST')]],
  ['nothing at all', 'F', []],
]

describe('the grade', () => {
  it.each(ROWS)('of %s is %s', (_, letter, verdicts, about) => {
    expect(grade({ profile: 'full', selection: all, verdicts, ...about }).letter).toBe(letter)
  })

  it('has a different rule for each reason, best grade first', () => {
    const letters = GRADES.map(({ letter }) => letter)
    expect([...new Set(letters)]).toEqual(['A+', 'A', 'B', 'C', 'D', 'F'])
    expect(letters.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))).toEqual(letters)
    expect(new Set(GRADES.map(({ rule }) => rule)).size).toBe(GRADES.length)
  })

  it.each<[letter: Letter, rule: string, verdicts: readonly Row[], about?: Partial<Graded>]>([
    ['A+', 'Every case of the full profile passed.', many],
    ['A', 'Every tested case passed, but the core profile does not test effects.', many, { profile: 'core' }],
    ['A', 'A SHOULD requirement was not met or not tested.', [...many, warning('protocol')]],
    ['B', 'A MUST requirement was not tested, or its result is inconclusive.', [...many, untested('MUST')]],
    ['B', 'The run was limited to selected cases.', many, { selection: { only: ['events'], skip: [] } }],
    ['C', 'A protocol requirement failed.', [...many, failed('protocol')]],
    ['D', 'A money requirement failed.', [...many, failed('protocol'), failed('money')]],
    ['F', 'At least as many cases failed or were inconclusive as passed.', [passed, failed('protocol')]],
    ['F', 'No case passed.', [untested('MUST')]],
    ['F', 'A security requirement failed.', [...many, failed('security')]],
  ])('%s comes with the rule that applied: %s', (letter, rule, verdicts, about) => {
    const graded = grade({ profile: 'full', selection: all, verdicts, ...about })
    expect(graded).toEqual({ letter, rule })
    expect(GRADES).toContainEqual(graded)
  })

  it('has its rules in docs/check.md', () => {
    const rows = readFileSync('docs/check.md', 'utf8').split('\n')
    for (const { letter, rule } of GRADES) {
      expect(rows.find((row) => row.startsWith(`| ${letter} |`))).toContain(rule)
    }
  })
})
