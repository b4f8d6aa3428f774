import { describe, expect, it } from 'vitest'
import { conclude, decide } from '../../../../conformance/contracts/verdict.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import { accepted, refused } from '../../../../conformance/contracts/webhook/expectations/expect.ts'
import { evaluate, judge } from '../../../../conformance/contracts/webhook/judge.ts'
import type {
  CatalogueCase,
  Conclusion,
  Exchange,
  Expectation,
  Level,
  Outcome,
  Verdict,
} from '../../../../conformance/contracts/webhook/model.ts'
import { expectedText, receivedText } from '../../../../conformance/report/words/findings.ts'
import { type Came, evidence, exchange } from '../../report/evidence.ts'
import { caseOf } from '../../support.ts'

const caseOn = (level: Level, ...expected: Expectation[]): CatalogueCase => ({
  ...caseOf('transport/posted-as-json'),
  level,
  expect: expected,
})
const alwaysWrong: Expectation = {
  kind: 'effects',
  expected: { code: 'fulfilled_once' },
  check: () => ({ wrong: { code: 'fulfilled_often', times: 2 }, severity: 'money', decisive: true }),
}
const neverCan: Expectation = {
  kind: 'effects',
  expected: { code: 'fulfilled_once' },
  check: () => ({ untested: { code: 'no_effect_shown' }, decisive: true }),
}
const came = (outcome: Outcome, level: Level = 'MUST'): Verdict => ({
  case: caseOn(level),
  outcome,
  problems: [],
  reason: undefined,
  exchanges: [],
  durationMs: 0,
})
const can: Expectation = {
  kind: 'effects',
  expected: { code: 'fulfilled_once' },
  check: () => undefined,
}
const canNot: Expectation = {
  kind: 'effects',
  expected: { code: 'livemode_shown' },
  check: () => ({ untested: { code: 'livemode_not_shown' } }),
}
const wrong: Expectation = {
  kind: 'effects',
  expected: { code: 'nothing_handled' },
  check: () => ({ wrong: { code: 'not_fulfilled' }, severity: 'money' }),
}

describe('the conclusion', () => {
  it.each<[Conclusion, string, Verdict[]]>([
    ['conformant', 'all passed', [came('passed'), came('passed', 'SHOULD')]],
    [
      'conformant',
      'advice beside a pass',
      [came('passed'), came('warning', 'SHOULD'), came('warning', 'MAY')],
    ],
    ['conformant', 'a SHOULD untested', [came('passed'), came('untested', 'SHOULD')]],
    ['conformant', 'a MAY untested', [came('passed'), came('untested', 'MAY')]],
    ['incomplete', 'a MUST untested', [came('passed'), came('untested')]],
    ['incomplete', 'a MUST inconclusive', [came('passed'), came('inconclusive')]],
    ['conformant', 'a SHOULD inconclusive', [came('passed'), came('inconclusive', 'SHOULD')]],
    ['not-conformant', 'one failed and one inconclusive', [came('inconclusive'), came('failed')]],
    ['incomplete', 'nothing sent at all', []],
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
    ['passed', 'MUST', [can, can]],
    ['passed', 'MAY', [can]],
    ['failed', 'MUST', [can, wrong]],
    ['warning', 'SHOULD', [wrong]],
    ['warning', 'MAY', [wrong]],
    ['untested', 'MUST', [can, canNot]],
    ['untested', 'SHOULD', [canNot]],
    ['failed', 'MUST', [canNot, wrong]],
    ['failed', 'MUST', [wrong, canNot]],
    ['warning', 'SHOULD', [canNot, wrong]],
  ])('is %s', (outcome, level, expected) => {
    expect(outcomeOf(level, expected, exchange(200))).toBe(outcome)
  })

  it('counts a refusal only beside an acceptance', () => {
    expect(outcomeOf('MUST', [refused(401)], exchange(401), control)).toBe('passed')
    for (const status of [401, 404, 500, 201])
      expect(outcomeOf('MUST', [refused(401)], exchange(401), exchange(status, { role: 'control' }))).toBe(
        'inconclusive',
      )
    expect(
      outcomeOf('MUST', [refused(401)], exchange(401), control, exchange('refused', { role: 'control' })),
    ).toBe('inconclusive')
    expect(outcomeOf('SHOULD', [refused(401)], exchange(401), exchange(401, { role: 'control' }))).toBe(
      'inconclusive',
    )
  })

  it('is open if all that is wrong was given up while the receiver was still answering others', () => {
    const queued = (role: Delivery['role'] = 'probe'): Exchange => ({
      ...exchange('timeout', { role }),
      error: { code: 'timeout', afterMs: 120_000, isQueued: true },
    })
    const verdictOn = (expected: Expectation, ...exchanges: Exchange[]) =>
      judge(caseOn('MUST', expected), evidence(exchanges), 5)
    expect(verdictOn(accepted, exchange(200), queued())).toMatchObject({
      outcome: 'untested',
      problems: [],
      reason: { code: 'queued', ms: 120_000 },
    })
    expect(verdictOn(refused(401), exchange(401), queued('control')).reason?.code).toBe('queued')
    expect(verdictOn(accepted, exchange(500), queued()).outcome).toBe('failed')
    expect(verdictOn(accepted, exchange('timeout'), queued()).outcome).toBe('failed')
  })

  it.each<[Outcome, string, Came, Came]>([
    ['inconclusive', 'the same wrong status', 404, 404],
    ['inconclusive', 'the same error', 500, 500],
    ['inconclusive', 'no connection either', 'refused', 'refused'],
    ['failed', 'the forgery accepted', 200, 401],
    ['failed', 'everything answered with another success', 204, 204],
    ['failed', 'another wrong status', 500, 401],
    ['failed', 'a connection that the forgery broke', 'reset', 'refused'],
    ['failed', 'no response, perhaps because of the forgery', 'timeout', 'timeout'],
    ['failed', 'a wrong status beside an accepted control', 404, 200],
  ])('is %s beside a rejected control: %s', (outcome, _, probe, toControl) => {
    const exchanges = [exchange(probe), exchange(toControl, { role: 'control' })]
    expect(outcomeOf('MUST', [refused(401)], ...exchanges)).toBe(outcome)
  })

  it('fails a valid delivery that was rejected, whatever the control got', () => {
    expect(outcomeOf('MUST', [accepted], exchange(401), exchange(401, { role: 'control' }))).toBe('failed')
  })

  it('names the response to the control as the reason for being inconclusive', () => {
    const rejected = [exchange(401), exchange(403, { role: 'control' })]
    expect(judge(caseOn('MUST', refused(401), canNot), evidence(rejected), 5)).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.objectContaining({ code: 'control_rejected' }),
    })
  })

  it('names every problem, with the control as one of its own', () => {
    const { problems, reason } = judge(
      caseOn('MUST', refused(401), wrong, canNot),
      evidence([exchange(200), exchange(503, { role: 'control' })]),
      5,
    )
    expect(
      problems.map((problem) => ({
        expected: expectedText(problem.expected),
        received: receivedText(problem),
        severity: problem.severity,
      })),
    ).toEqual([
      { expected: 'the delivery is refused with status 401', received: 'status 200', severity: 'security' },
      { expected: 'nothing is fulfilled or reversed', received: 'not fulfilled', severity: 'money' },
      { expected: expect.stringContaining('the control'), received: 'status 503', severity: 'protocol' },
    ])
    expect(reason).toBeUndefined()
  })

  it('gives the reason where it cannot tell', () => {
    expect(judge(caseOn('MUST', canNot, accepted), evidence([exchange(200)]), 5)).toMatchObject({
      outcome: 'untested',
      reason: { code: 'open', open: { code: 'livemode_not_shown' } },
      problems: [],
    })
  })

  it.each<[ReturnType<typeof evaluate>['standing'], string, Expectation[], status: number]>([
    ['met', 'nothing is wrong', [can, accepted], 200],
    ['open', 'an effect is absent', [can, wrong, accepted], 200],
    ['open', 'an effect that cannot be tested yet', [canNot, accepted], 200],
    ['met', 'an effect that can never be tested', [neverCan, accepted], 200],
    ['wrong', 'an effect that stays wrong', [wrong, alwaysWrong, accepted], 200],
    ['wrong', 'an effect that stays wrong beside a wrong response', [alwaysWrong, accepted], 500],
    ['failed', 'a wrong response', [wrong, accepted], 500],
  ])('is %s while effects are observed: %s', (standingOf, _, expected, status) => {
    expect(evaluate(caseOn('MUST', ...expected), evidence([exchange(status)])).standing).toBe(standingOf)
  })

  it('does not count an absence while effects may follow', () => {
    const testCase = caseOn('MUST', wrong, alwaysWrong, accepted)
    const exchanges = [exchange(500)]
    const evaluation = evaluate(testCase, evidence(exchanges))
    const { problems } = decide(testCase, { exchanges, evaluation, isIncomplete: true, durationMs: 5 })
    expect(problems.map(receivedText)).toEqual(['fulfilled 2 times', 'status 500'])
  })
})
