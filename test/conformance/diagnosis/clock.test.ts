import { expect, it } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import type { Verdict } from '../../../conformance/contracts/webhook/model.ts'
import { causesFrom } from '../../../conformance/diagnosis/diagnose.ts'
import { caseOf, kitOf } from '../support.ts'

const CASE = 'time-window/clock-advances'

/** What the case shows, beside a failure that makes the report look for causes. */
function causesWith(outcome: Verdict['outcome'], kind: Verdict['problems'][number]['kind']) {
  const verdict = (id: Parameters<typeof caseOf>[0]): Verdict => ({
    case: caseOf(id),
    outcome: 'failed',
    problems: [
      {
        kind: 'refused',
        expected: { code: 'not_accepted' },
        wrong: { code: 'answer', several: false },
        severity: 'security',
      },
    ],
    reason: undefined,
    exchanges: [
      {
        delivery: kitOf(id).delivery('completed'),
        answer: { status: 400, headers: [], body: Buffer.alloc(0), truncated: false, ms: 1 },
        error: undefined,
      },
    ],
    durationMs: 1,
  })
  const problem = {
    kind,
    expected: { code: 'clock_advances' },
    wrong: { code: 'answer', several: false },
    severity: 'protocol',
  } as const
  const clock: Verdict = { ...verdict(CASE), outcome, problems: [problem] }
  const others = ['time-window/a-year-ago', 'time-window/just-outside-the-future'] as const
  return causesFrom({
    service: paymentService,
    verdicts: [clock, ...others.map(verdict)],
    isNarrowed: false,
  }).map(({ code }) => code)
}

it('names a clock that does not advance only when its case has shown that', () => {
  expect(causesWith('failed', 'accepted-or-refused')).toContain('clock_stands_still')
  expect(causesWith('inconclusive', 'accepted')).not.toContain('clock_stands_still')
  expect(causesWith('failed', 'effects')).not.toContain('clock_stands_still')
})
