import { expect, it } from 'vitest'
import { madeFailure, madeReport } from '../conformance/report/made.ts'
import { contradictions } from './proof/contradictions.ts'

// Each grading of a mutant or a variant, here and in the proof, fails if its report contradicts itself.
const judged = (impact: string, received: string) =>
  contradictions(
    madeReport([madeFailure('duplicates/one', 'money', { impact, problems: [{ expected: 'x', received }] })]),
  ).length

it.each<[string, string, number]>([
  ['The merchant ships the goods twice.', 'tx_1: not fulfilled', 1],
  ['The merchant ships the goods twice.', 'status 401', 1],
  ['The merchant ships the goods twice.', 'tx_1: fulfilled 2 times', 0],
  ['The customer has paid and gets nothing.', 'tx_1: fulfilled 2 times', 1],
  ['The customer has paid and gets nothing.', 'tx_1: not fulfilled', 0],
  ['An attacker can forge a delivery.', 'no response: connection reset', 1],
  ['An attacker can forge a delivery.', 'status 200', 0],
  ['A real payment is refused.', 'status 200', 1],
  ['A real payment is refused.', 'status 401', 0],
])('"%s" beside "%s": %i contradictions', (impact, received, count) => {
  expect(judged(impact, received)).toBe(count)
})
