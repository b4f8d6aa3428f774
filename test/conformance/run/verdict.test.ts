import { describe, expect, it } from 'vitest'
import { accepted, refused } from '../../../conformance/case/expect.ts'
import type {
  CatalogueCase,
  Conclusion,
  Expectation,
  Level,
  Outcome,
  Verdict,
} from '../../../conformance/case/model.ts'
import { conclude, judge, openFindings } from '../../../conformance/run/verdict.ts'
import { evidence, exchange } from '../report/evidence.ts'
import { caseOf } from '../support.ts'

const caseOn = (level: Level, ...expected: Expectation[]): CatalogueCase => ({
  ...caseOf('transport/posted-as-json'),
  level,
  expect: expected,
})
const came = (outcome: Outcome, level: Level = 'MUST'): Verdict => ({
  case: caseOn(level),
  outcome,
  problems: [],
  reason: undefined,
  exchanges: [],
  durationMs: 0,
})
const holds: Expectation = { kind: 'effects', expected: 'it holds', check: () => undefined }
const untestable: Expectation = {
  kind: 'effects',
  expected: 'it is shown',
  check: () => ({ untested: 'it is not shown' }),
}
const wrong: Expectation = {
  kind: 'effects',
  expected: 'it is right',
  check: () => ({ problem: 'it is not', severity: 'money' }),
}

describe('the conclusion', () => {
  it.each<[Conclusion, string, Verdict[]]>([
    ['conformant', 'all passed', [came('passed'), came('passed', 'SHOULD')]],
    [
      'conformant',
      'warnings beside a pass',
      [came('passed'), came('warning', 'SHOULD'), came('warning', 'MAY')],
    ],
    ['conformant', 'a SHOULD untested', [came('passed'), came('untested', 'SHOULD')]],
    ['conformant', 'a MAY untested', [came('passed'), came('untested', 'MAY')]],
    ['incomplete', 'a MUST untested', [came('passed'), came('untested')]],
    ['incomplete', 'nothing sent', []],
    ['incomplete', 'nothing tested', [came('untested')]],
    ['incomplete', 'no MUST, and nothing tested', [came('untested', 'SHOULD')]],
    ['incomplete', 'nothing passed', [came('warning', 'SHOULD')]],
    ['not-conformant', 'one failed', [came('passed'), came('failed'), came('passed')]],
    ['not-conformant', 'one failed and one untested', [came('untested'), came('failed'), came('passed')]],
    ['not-conformant', 'all failed', [came('failed')]],
  ])('is %s: %s', (conclusion, _, verdicts) => {
    expect(conclude(verdicts)).toBe(conclusion)
    expect(conclude(verdicts.toReversed())).toBe(conclusion)
  })
})

describe('the verdict on a case', () => {
  const outcomeOf = (level: Level, expected: Expectation[], ...exchanges: Parameters<typeof evidence>[0]) =>
    judge(caseOn(level, ...expected), evidence(exchanges), 5).outcome
  const control = exchange(200, { role: 'control' })

  it.each<[Outcome, Level, Expectation[]]>([
    ['passed', 'MUST', [holds, holds]],
    ['passed', 'MAY', [holds]],
    ['failed', 'MUST', [holds, wrong]],
    ['warning', 'SHOULD', [wrong]],
    ['warning', 'MAY', [wrong]],
    ['untested', 'MUST', [holds, untestable]],
    ['untested', 'SHOULD', [untestable]],
    ['failed', 'MUST', [untestable, wrong]],
    ['failed', 'MUST', [wrong, untestable]],
    ['warning', 'SHOULD', [untestable, wrong]],
  ])('is %s', (outcome, level, expected) => {
    expect(outcomeOf(level, expected, exchange(200))).toBe(outcome)
  })

  it('counts a refusal only beside an acceptance', () => {
    expect(outcomeOf('MUST', [refused(401)], exchange(401), control)).toBe('passed')
    for (const status of [401, 404, 500, 201])
      expect(outcomeOf('MUST', [refused(401)], exchange(401), exchange(status, { role: 'control' }))).toBe(
        'failed',
      )
    expect(
      outcomeOf('MUST', [refused(401)], exchange(401), control, exchange('refused', { role: 'control' })),
    ).toBe('failed')
  })

  it('lists every problem, including that of the control', () => {
    const { problems, reason } = judge(
      caseOn('MUST', refused(401), wrong, untestable),
      evidence([exchange(200), exchange(503, { role: 'control' })]),
      5,
    )
    expect(problems).toEqual([
      { expected: 'the delivery is refused with status 401', received: 'status 200', severity: 'security' },
      { expected: 'it is right', received: 'it is not', severity: 'money' },
      { expected: expect.stringContaining('the control'), received: 'status 503', severity: 'protocol' },
    ])
    expect(reason).toBeUndefined()
  })

  it('gives the reason when it cannot be tested', () => {
    expect(judge(caseOn('MUST', untestable, accepted), evidence([exchange(200)]), 5)).toMatchObject({
      outcome: 'untested',
      reason: 'it is not shown',
      problems: [],
    })
  })

  it('counts the expectations that are not met yet', () => {
    expect(openFindings(caseOn('MUST', wrong, untestable, accepted), evidence([exchange(500)]))).toBe(2)
    expect(openFindings(caseOn('MUST', untestable, accepted), evidence([exchange(200)]))).toBe(0)
  })
})
