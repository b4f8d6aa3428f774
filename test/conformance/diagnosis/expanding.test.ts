import { expect, it } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import type { Verdict } from '../../../conformance/contracts/webhook/model.ts'
import { causesFrom } from '../../../conformance/diagnosis/diagnose.ts'
import { caseOf, kitOf } from '../support.ts'

const CASE = 'robustness/good-while-compressed-bodies-expand'

/** The verdict of a receiver that answers the first payment after 20 ms, and one beside compressed bodies after this time. */
function verdictOf(ms: number): Verdict {
  const testCase = caseOf(CASE)
  const delivery = kitOf(CASE).delivery('completed')
  const exchange = (role: 'context' | 'probe', time: number) => ({
    delivery: { ...delivery, role },
    answer: { status: 200, headers: [], body: Buffer.alloc(0), truncated: false, ms: time },
    error: undefined,
  })
  const exchanges = [exchange('context', 20), exchange('probe', ms)]
  const evidence = { exchanges, ackWithinMs: 1_000, effects: () => [], secrets: ['whsec_example'] }
  const problems = testCase.expect.flatMap(({ kind, expected, check }) => {
    const found = check(evidence)
    if (found === undefined || 'untested' in found) return []
    return [{ kind, expected, ...found }]
  })
  const outcome = problems.length === 0 ? 'passed' : 'failed'
  return {
    case: testCase,
    outcome,
    problems,
    reason: undefined,
    exchanges,
    durationMs: 1,
  }
}

const causesBeside = (ms: number) =>
  causesFrom({ service: paymentService, verdicts: [verdictOf(ms)], isNarrowed: false }).map(
    ({ code }) => code,
  )

it('names the expansion when only compressed bodies hold up the others', () => {
  expect(causesBeside(5_000)).toEqual(['body_expanded_first'])
  expect(causesBeside(500)).toEqual([])
})
