import { expect, it } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import type { Verdict } from '../../../conformance/contracts/webhook/model.ts'
import { causesFrom } from '../../../conformance/diagnosis/diagnose.ts'
import { causeText } from '../../../conformance/report/words/causes/causes.ts'
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
      error: { code: 'reset' },
    },
  ],
  durationMs: 1,
}

it('names the end of the receiver as the cause of what was in flight, and nothing about its contents', () => {
  const end = { how: 'exit status 2', inFlight: cutOff.exchanges.map(({ delivery }) => delivery) }
  const causes = causesFrom({ service: paymentService, verdicts: [cutOff], isNarrowed: false, end })

  expect(causes.map((cause) => [cause.code, causeText(cause, paymentService).sentence])).toEqual([
    ['crashed', ENDED],
  ])
  expect(causes[0]?.explains).toEqual(new Set([cutOff]))
})

it('names no end of a receiver that still runs', () => {
  const causes = causesFrom({ service: paymentService, verdicts: [cutOff], isNarrowed: false })
  expect(causes.map((cause) => causeText(cause, paymentService).sentence)).not.toContain(ENDED)
})
