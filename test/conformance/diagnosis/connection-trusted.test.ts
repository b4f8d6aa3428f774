import { expect, it } from 'vitest'
import type { CaseId } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import type { Delivery } from '../../../conformance/contracts/webhook/delivery.ts'
import type { Problem, Verdict } from '../../../conformance/contracts/webhook/model.ts'
import { forged } from '../../../conformance/contracts/webhook/mutate.ts'
import { causesFrom } from '../../../conformance/diagnosis/diagnose.ts'
import { NOTHING_FOUND } from '../../../conformance/diagnosis/symptoms.ts'
import { caseOf, kitOf } from '../support.ts'

const FORGED = 'bypass/connection-verified-before'
const STALE = 'time-window/stale-although-its-t-was-accepted-before'

/** A failed case whose delivery was let in. */
const letIn = (
  name: CaseId,
  delivery: Delivery,
  { kind, expected }: Pick<Problem, 'kind' | 'expected'>,
): Verdict => ({
  case: caseOf(name),
  outcome: 'failed',
  problems: [{ kind, expected, wrong: { code: 'let_in' }, observed: 'let-in', severity: 'security' }],
  reason: undefined,
  exchanges: [
    {
      delivery,
      answer: { status: 200, headers: [], body: Buffer.alloc(0), truncated: false, ms: 1 },
      error: undefined,
    },
  ],
  durationMs: 1,
})

it('of a receiver that trusts connections names no second cause for a stale delivery on a trusted one', () => {
  const kit = kitOf(FORGED)
  const forgery = letIn(FORGED, forged(kit.delivery('completed'), kit), {
    kind: 'refused',
    expected: { code: 'refused', statuses: [401] },
  })
  const stale = letIn(STALE, kit.redelivery(kit.delivery('completed'), { t: kit.now() - 330 }), {
    kind: 'accepted-or-refused',
    expected: { code: 'stale_although_seen' },
  })
  const run = { service: paymentService, verdicts: [forgery, stale], isNarrowed: false }

  const causes = causesFrom(run, { ...NOTHING_FOUND, probed: ['connection_trusted'] })
  expect(causes.map(({ code }) => code)).toEqual(['connection_trusted'])
  expect(causesFrom({ ...run, verdicts: [stale] }).map(({ code }) => code)).toEqual(['window_remembered'])
})
