import { expect, test } from 'vitest'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import { requireVersion } from '../../../conformance/contracts/payment-service/requirements/versions.ts'
import { watchOutput } from '../../../conformance/crash/output.ts'
import { toCrashReport } from '../../../conformance/crash/verdicts/report.ts'
import { targetOf } from '../../../conformance/options.ts'

const SECRET = 'whsec_of_the_test'
const kit = createKit('crash', { secret: SECRET, seed: 's', mode: 'test', now: () => 1 })

test('a receiver that forgets a payment at a restart: the report shows what was sent', () => {
  const delivery = kit.delivery('completed')
  const sent = [{ delivery, sentAt: 0, answeredAt: 1, status: 200, error: undefined }]
  const report = toCrashReport({
    target: targetOf({ url: 'http://127.0.0.1:9/webhooks', secret: SECRET, timeoutMs: 1_000 }),
    contract: requireVersion('1.0'),
    mode: 'test',
    seed: 's',
    startedAt: new Date(0),
    durationMs: 1,
    warm: {
      startMs: 1,
      effectMs: 1,
      stoppedByItself: true,
      state: 'forgotten',
      story: 'it forgot',
      sent,
    },
    rounds: [],
    late: [],
    notStarted: undefined,
    withoutSecret: { empty: { outcome: 'refused-all' }, absent: { outcome: 'refused-all' } },
    rotation: undefined,
    output: watchOutput(SECRET, undefined),
    synced: null,
    reproduceWith: { check: [] },
  })
  const verdict = report.verdicts.find(({ case: id }) => id === 'durability/kept-over-a-restart')
  expect(verdict).toMatchObject({
    outcome: 'failed',
    exchanges: [{ delivery: { event: 'payment.completed' } }],
  })
})
