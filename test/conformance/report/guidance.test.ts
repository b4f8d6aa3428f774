import { describe, expect, it } from 'vitest'
import {
  accepted,
  acceptedOrRefused,
  answeredBelow500,
  answeredInTime,
  refused,
} from '../../../conformance/contracts/webhook/expectations/expect.ts'
import { judge } from '../../../conformance/contracts/webhook/judge.ts'
import type {
  CatalogueCase,
  Expectation,
  Guidance,
  Observation,
  Problem,
} from '../../../conformance/contracts/webhook/model.ts'
import { guidanceFor, mainProblem, observationOf } from '../../../conformance/report/guidance.ts'
import { caseOf } from '../support.ts'
import { type Came, evidence, exchange } from './evidence.ts'

const OWN: Guidance = { impact: 'The impact of the case.', fix: 'The fix of the case.' }
const made = (expectation: Expectation, about: Partial<CatalogueCase> = {}): CatalogueCase => ({
  ...caseOf('transport/posted-as-json'),
  ...OWN,
  expect: [expectation],
  ...about,
})
const problemsOf = (testCase: CatalogueCase, came: Came): readonly Problem[] =>
  judge(testCase, evidence([exchange(came)]), 5).problems
const problemOf = (testCase: CatalogueCase, came: Came): Problem => {
  const [problem] = problemsOf(testCase, came)
  if (problem === undefined) throw new Error('nothing is wrong')
  return problem
}

describe('what was observed', () => {
  it.each<[Observation, Expectation, Came]>([
    ['rejected', accepted, 401],
    ['acknowledged-otherwise', accepted, 204],
    ['server-error', accepted, 503],
    ['no-response', accepted, 'reset'],
    ['let-in', refused(401), 200],
    ['refused-with-other-status', refused(401), 404],
    ['refused-with-other-status', acceptedOrRefused(400), 307],
    ['refused-with-server-error', refused(401), 500],
    ['refused-without-response', refused(401), 'timeout'],
    ['refused-with-server-error', answeredBelow500, 500],
    ['late', answeredInTime, { ms: 2_000 }],
  ])('is %s', (observation, expectation, came) => {
    expect(observationOf(problemOf(made(expectation), came))).toBe(observation)
  })
})

describe('the guidance of a problem', () => {
  const guidance = (testCase: CatalogueCase, came: Came) => guidanceFor(testCase, problemOf(testCase, came))

  it.each<[string, Expectation, Came]>([
    ['a valid delivery that was refused', accepted, 401],
    ['a forged one that was accepted', refused(401), 200],
    ['a late response', answeredInTime, { ms: 2_000 }],
  ])('is that of the case for %s', (_, expectation, came) => {
    expect(guidance(made(expectation), came)).toMatchObject(OWN)
  })

  it.each<[string, Expectation, Came, RegExp, RegExp]>([
    [
      'a forged delivery that makes the handler fail',
      refused(401),
      500,
      /handler fails/,
      /Refuse the delivery instead of failing/,
    ],
    ['a forged delivery without a response', refused(401), 'reset', /no response/, /log/],
    ['a missing route', refused(401), 404, /not accepted/, /400 or 401 instead of 404/],
    ['a redirect', refused(401), 307, /not accepted/, /instead of redirecting with 307/],
    ['a wrong signature', refused(401), 400, /the wrong status/, /401 is for a wrong signature/],
    ['a malformed header', refused(400), 401, /the wrong status/, /400 instead of 401: 400 is for a sig/],
    ['an unusable body', refused(400, 422), 409, /the wrong status/, /400 or 422 instead of 409 when/],
    ['a refusal that the contract leaves open', acceptedOrRefused(400), 401, /reason/, /200 or 400 instead/],
    ['another refusal', refused(401), 403, /refused/, /Answer 401 instead of 403/],
  ])('is its own for %s', (_, expectation, came, impact, fix) => {
    expect(guidance(made(expectation), came)).toEqual({
      impact: expect.stringMatching(impact),
      fix: expect.stringMatching(fix),
    })
  })

  it.each<[Came, RegExp]>([
    [401, /Answer 200 instead of 401/],
    [201, /Answer 200 instead of 201/],
    [307, /instead of redirecting/],
    [413, /size limit/],
    [429, /rate limit/],
    [500, /error of the handler/],
    ['reset', /Answer every request/],
  ])('of a case about effects is not that of the effects when the delivery got %s', (came, fix) => {
    const found = guidance(made(accepted, { needs: 'effects' }), came)
    expect(found.impact).not.toBe(OWN.impact)
    expect(found.fix).toMatch(fix)
  })

  it('is that of the case for what the case says it is about', () => {
    const testCase = made(refused(401), { about: ['refused-with-server-error'] })
    expect(guidance(testCase, 500)).toMatchObject(OWN)
    expect(guidance(testCase, 200).impact).toMatch('accepted that the receiver must refuse')
  })
})

describe('the main problem', () => {
  const rejected = problemOf(made(accepted), 401)
  const effect = (observed: Observation): Problem => ({
    kind: 'effects',
    expected: { code: 'fulfilled_once' },
    wrong: { code: 'not_fulfilled' },
    severity: 'money',
    observed,
  })

  it('is a rejected delivery rather than the effect that is missing because of it', () => {
    expect(mainProblem([effect('not-fulfilled'), rejected])).toBe(rejected)
    expect(mainProblem([effect('not-reversed'), rejected])).toBe(rejected)
  })

  it('is otherwise the most severe', () => {
    const twice = effect('fulfilled-again')
    expect(mainProblem([twice, rejected])).toBe(twice)
    expect(mainProblem([effect('not-fulfilled')])).toMatchObject({ observed: 'not-fulfilled' })
    expect(mainProblem([])).toBeUndefined()
  })
})
