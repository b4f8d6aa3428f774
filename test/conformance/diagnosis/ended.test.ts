import { expect, it } from 'vitest'
import type { Verdict } from '../../../conformance/contracts/payment-service/model.ts'
import { diagnose } from '../../../conformance/diagnosis/diagnosis.ts'
import { caseOf, kitOf } from '../support.ts'

const CASE = 'events/every-payment-method'
const ENDED = 'The receiver ended during the run: exit status 2. In flight: a valid payment.completed.'

/** A failed case whose delivery was in flight when the receiver ended. */
const cutOff: Verdict = {
  case: caseOf(CASE),
  outcome: 'failed',
  problems: [
    {
      kind: 'accepted',
      expected: { code: 'accepted' },
      wrong: { code: 'answer', several: false },
      severity: 'protocol',
    },
  ],
  reason: undefined,
  exchanges: [
    {
      delivery: kitOf(CASE).delivery('completed'),
      answer: undefined,
      error: { code: 'reset', message: 'the connection was closed before a response arrived' },
    },
  ],
  durationMs: 1,
}

it('names the end of the receiver as the cause of what was in flight, and nothing about its contents', () => {
  const causes = diagnose([cutOff], undefined, { isNarrowed: false, ended: ENDED })

  expect(causes.map(({ code, sentence }) => [code, sentence])).toEqual([['crashed', ENDED]])
  expect(causes[0]?.explains).toEqual(new Set([cutOff]))
})

it('names no end of a receiver that still runs', () => {
  expect(diagnose([cutOff]).map(({ sentence }) => sentence)).not.toContain(ENDED)
})
