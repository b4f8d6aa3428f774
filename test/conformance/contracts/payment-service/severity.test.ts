import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { createKit } from '../../../../conformance/contracts/payment-service/kit.ts'
import { judge } from '../../../../conformance/contracts/webhook/judge.ts'
import type { CatalogueCase, Problem } from '../../../../conformance/contracts/webhook/model.ts'
import { guidanceFor } from '../../../../conformance/report/guidance.ts'
import { evidence, exchange } from '../../report/evidence.ts'
import { SECRET } from '../../support.ts'

/** What a receiver that answers everything with a status has to read about a case. */
const problemsWith = (testCase: CatalogueCase, status: number): Problem[] => {
  const options = { secret: SECRET, seed: 's', now: () => 1_750_000_000 }
  const plan = testCase.send(createKit(testCase.id, { ...options, mode: testCase.mode ?? 'test' }))
  const exchanges = plan.flatMap(({ deliveries }) => deliveries.map((delivery) => exchange(status, delivery)))
  return judge(testCase, evidence(exchanges), 1).problems.filter(({ kind }) => kind !== 'effects')
}

describe('the impact of a delivery that was accepted', () => {
  const accepted = CATALOGUE.map((testCase) => ({ testCase, problems: problemsWith(testCase, 200) }))
  const impactsOf = (severity: Problem['severity']) =>
    accepted.flatMap(({ testCase, problems }) =>
      problems
        .filter((problem) => problem.severity === severity)
        .map((problem) => `${testCase.id}: ${guidanceFor(testCase, problem).impact}`),
    )

  test('names what an attacker can do if it is a security problem', () => {
    const impacts = impactsOf('security')
    expect(impacts.length).toBeGreaterThan(80)
    expect(impacts.filter((impact) => !/attacker|anyone/i.test(impact))).toEqual([])
  })

  test('blames no attacker if only the holder of the secret can cause it', () => {
    const impacts = impactsOf('protocol')
    expect(impacts.length).toBeGreaterThan(10)
    expect(impacts.filter((impact) => /attacker(?! in\b)|Anyone/.test(impact))).toEqual([])
  })
})

test('a receiver that answers 500 to everything reads of no attacker', () => {
  const blamed = CATALOGUE.flatMap((testCase) =>
    problemsWith(testCase, 500)
      .map((problem) => guidanceFor(testCase, problem).impact)
      .filter((impact) => /forge|replay|never made|twice/.test(impact))
      .map((impact) => `${testCase.id}: ${impact}`),
  )
  expect(blamed).toEqual([])
})
