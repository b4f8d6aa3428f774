import { describe, expect, it } from 'vitest'
import { GRADES, type Graded, grade, type Letter } from '../../../conformance/report/grade.ts'

type Row = Graded['verdicts'][number]

const passed: Row = { level: 'MUST', outcome: 'passed', severity: null }
const many = Array.from({ length: 9 }, () => passed)
const failed = (severity: Row['severity']): Row => ({ level: 'MUST', outcome: 'failed', severity })
const untested = (level: Row['level']): Row => ({ level, outcome: 'untested', severity: null })
const warning = (severity: Row['severity']): Row => ({ level: 'SHOULD', outcome: 'warning', severity })
const all = { only: [], skip: [] }

const ROWS: readonly [what: string, letter: Letter, verdicts: readonly Row[], about?: Partial<Graded>][] = [
  ['all passed', 'A+', many],
  ['all passed in the core profile', 'A', many, { profile: 'core' }],
  ['advice', 'A', [...many, warning('protocol')]],
  ['advice that touches security', 'A', [...many, warning('security')]],
  ['a SHOULD untested', 'A', [...many, untested('SHOULD')]],
  ['a MUST untested', 'B', [...many, untested('MUST')]],
  ['only some cases', 'B', many, { selection: { only: ['events'], skip: [] } }],
  ['some cases left out', 'B', many, { selection: { only: [], skip: ['events/*'] } }],
  ['a protocol failure', 'C', [...many, failed('protocol')]],
  ['a failure of no known severity', 'C', [...many, failed(null)]],
  ['a protocol failure and a MUST untested', 'C', [...many, failed('protocol'), untested('MUST')]],
  ['a money failure', 'D', [...many, failed('protocol'), failed('money')]],
  ['a security failure', 'F', [...many, failed('money'), failed('security')]],
  [
    'a security failure in a part',
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

  it('comes with its rule, and every letter has one of its own', () => {
    expect(GRADES.map(({ letter }) => letter)).toEqual(['A+', 'A', 'B', 'C', 'D', 'F'])
    expect(new Set(GRADES.map(({ rule }) => rule)).size).toBe(6)
    expect(GRADES).toContainEqual(grade({ profile: 'full', selection: all, verdicts: many }))
  })
})
