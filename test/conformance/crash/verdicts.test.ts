import { expect, test } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import { requireVersion } from '../../../conformance/contracts/payment-service/requirements/versions.ts'
import type { Story } from '../../../conformance/contracts/webhook/crash-finding.ts'
import type { Delivery } from '../../../conformance/contracts/webhook/delivery.ts'
import { forged } from '../../../conformance/contracts/webhook/mutate.ts'
import { watchOutput } from '../../../conformance/crash/output.ts'
import type { Payment } from '../../../conformance/crash/payments.ts'
import { type Failure, failureOf, type RoundTimes } from '../../../conformance/crash/rounds.ts'
import { type CrashSummary, overview, toCrashReport } from '../../../conformance/crash/verdicts.ts'
import { targetOf } from '../../../conformance/options.ts'
import { CRASH_GUIDANCE, crashText } from '../../../conformance/report/words/crash.ts'

const SECRET = 'whsec_of_the_test'
const kit = createKit('crash', { secret: SECRET, seed: 's', mode: 'test', now: () => 1 })
const TIMES: RoundTimes = {
  round: 2,
  moment: { kind: 'first-byte', acknowledgments: 2, delayMs: 0, ofStart: 0 },
  startedAt: 0,
  killedAt: 60,
  readyAt: 500,
}
const WRONG = { event: 'payment.completed', observed: { fulfilled: 0, reversed: 0 } } as const

const sentOnce = (delivery: Delivery) => ({
  delivery,
  sentAt: 0,
  answeredAt: 1,
  status: 200,
  error: undefined,
})
function acknowledgedAt(answeredAt: number): Payment {
  const completed = kit.delivery('completed')
  const sent = [{ delivery: completed, sentAt: 0, answeredAt, status: 200, error: undefined }]
  return { id: 'tx_1', completed, refund: undefined, isRepeated: false, sent }
}
const lost = (answeredAt: number, isRecovered: boolean): Failure => ({
  ...failureOf('lost', acknowledgedAt(answeredAt), WRONG, TIMES),
  isRecovered,
})
/** A payment whose only acknowledgment is that of the redelivery. */
function neverHandled(): Failure {
  const payment = acknowledgedAt(900)
  const [again] = payment.sent
  if (again === undefined) throw new Error('it has one')
  payment.sent.unshift({ ...again, answeredAt: undefined, status: undefined, error: { code: 'reset' } })
  payment.sent[1] = { ...again, sentAt: 800 }
  return {
    ...failureOf('lost', payment, WRONG, { ...TIMES, redeliveredAt: 950 }),
    isRecovered: false,
  }
}
const doubled = (redeliveredAt?: number): Failure =>
  failureOf('doubled', acknowledgedAt(20), WRONG, {
    ...TIMES,
    ...(redeliveredAt !== undefined && { redeliveredAt }),
  })

/** A run of three rounds, with as many payments as the failures need. */
function openingOf(failures: readonly Failure[]) {
  const round = {
    payments: [acknowledgedAt(1)],
    acknowledged: 4,
    times: TIMES,
    kills: 1,
    failures,
    refused: [],
  }
  const { findings, mistake } = overview(failures, { rounds: [round, round, round] })
  return { opening: findings.map(crashText)[0], fix: mistake && CRASH_GUIDANCE[mistake].fix }
}

test.each<[string, Failure[], string, RegExp | undefined]>([
  [
    'was not kept',
    [lost(14, true), lost(60.4, true)],
    'lost: 2 of 12 acknowledged payments, in 1 of 3 rounds, acknowledged 0 to 46 ms before the kill; delivered again, all had their effect: the receiver had not kept them',
    /before you answer 200/,
  ],
  [
    'was never finished',
    [lost(30, false)],
    'lost: 1 of 12 acknowledged payments, in 1 of 3 rounds, acknowledged 30 ms before the kill; delivered again, none had its effect: the receiver recognized them, but had never finished them',
    /^At each start, process what is stored/,
  ],
  [
    'has several causes',
    [lost(30, false), lost(30, true)],
    'lost: 2 of 12 acknowledged payments, in 1 of 3 rounds, acknowledged 30 ms before the kill; delivered again, 1 of them had their effect',
    undefined,
  ],
  [
    'was acknowledged only after the restart',
    [neverHandled()],
    'never handled: 1 payment, in 1 of 3 rounds, acknowledged only after the restart, as if the delivery were a duplicate',
    /^At each start, process what is stored/,
  ],
  [
    'was repeated by the start',
    [doubled()],
    'handled twice: 1 of 3 payments, in 1 of 3 rounds, all before anything was delivered again: the receiver repeated work that it had done',
    undefined,
  ],
  [
    'was not recognized',
    [doubled(700)],
    'handled twice: 1 of 3 payments, in 1 of 3 rounds, all when they were delivered again: the receiver did not recognize them',
    /under a unique constraint/,
  ],
])('the first line says that a payment %s', (_, failures, sentence, fix) => {
  const found = openingOf(failures)
  expect(found.opening).toBe(sentence)
  if (fix === undefined) expect(found.fix).toBeUndefined()
  else expect(found.fix).toMatch(fix)
})

const storyOf = (story: Story) => crashText({ code: 'payment', ...story })

test('a story has the times of the payment in order', () => {
  const { story } = failureOf('lost', acknowledgedAt(14), { ...WRONG, quietMs: 30_000 }, TIMES)
  expect(storyOf({ ...story, again: { fulfilled: 2, reversed: 1 } })).toBe(
    'round 2, tx_1, payment.completed: acknowledged at 14 ms; killed at 60 ms (on the first byte of a 200); started again and accepted deliveries at 500 ms; then no effect, and nothing changed for 30.0 s (--recover-within); delivered again: fulfilled twice, reversed',
  )
})

test('a story of a redelivery that is never accepted has its last answer', () => {
  const story = (status: number | undefined) =>
    storyOf(
      failureOf(
        'not-accepted',
        acknowledgedAt(14),
        { ...WRONG, observed: { status, error: { code: 'reset' } } },
        TIMES,
      ).story,
    )
  expect(story(503)).toMatch(/; then status 503 to every redelivery$/)
  expect(story(undefined)).toMatch(
    /; then the connection was closed before a response arrived to every redelivery$/,
  )
})

test('counts what was acknowledged before the kill apart from what was acknowledged after the restart', () => {
  const failures = [lost(30, true), neverHandled()]
  const round = {
    payments: [acknowledgedAt(1)],
    acknowledged: 4,
    times: TIMES,
    kills: 1,
    failures,
    refused: [],
  }
  const { findings, mistake } = overview(failures, { rounds: [round] })
  expect(findings).toMatchObject([
    { code: 'lost', count: 1, acknowledged: 4 },
    { code: 'never-handled', count: 1 },
  ])
  expect(mistake).toBeUndefined()
})

test('a story never calls the probe of the restart acknowledged before the kill', () => {
  const payment = acknowledgedAt(500)
  const [sent] = payment.sent
  if (sent === undefined) throw new Error('it has one')
  payment.sent[0] = { ...sent, sentAt: 480 }
  const { story, beforeKillMs } = failureOf('lost', payment, WRONG, TIMES)
  expect(storyOf(story)).toContain('payment.completed: not sent before the kill; killed at 60 ms')
  expect(beforeKillMs).toBeUndefined()
})

/** The report of a run in which nothing went wrong, except for what is given. */
const reportOf = (given: Partial<CrashSummary>) =>
  toCrashReport({
    service: paymentService,
    target: targetOf(
      { url: 'http://127.0.0.1:9/webhooks', secret: SECRET, timeoutMs: 1_000 },
      paymentService,
    ),
    contract: requireVersion(undefined),
    mode: 'test',
    seed: 's',
    startedAt: new Date(0),
    durationMs: 1,
    stalledMs: 0,
    warm: { startMs: 1, effectMs: 1, sent: [] },
    rounds: [],
    late: [],
    refusals: [],
    notStarted: undefined,
    withoutSecret: { empty: { outcome: 'refused-all' }, absent: { outcome: 'refused-all' } },
    rotation: undefined,
    output: watchOutput(SECRET, undefined),
    synced: null,
    reproduceWith: { check: [] },
    ...given,
  })

test('a receiver that handles what it refused: the report says what it was', () => {
  const completed = kit.delivery('completed')
  const refused = { ...sentOnce(forged(completed, kit)), status: 401 }
  const round = {
    payments: [acknowledgedAt(1)],
    acknowledged: 4,
    times: TIMES,
    kills: 1,
    failures: [],
    refused: [refused],
  }
  const id = 'durability/refused-not-handled-after-a-crash'
  const verdictOf = (given: Partial<CrashSummary>) =>
    reportOf(given).verdicts.find((verdict) => verdict.case === id)
  const observed = { fulfilled: 1, reversed: 0 }
  expect(verdictOf({ rounds: [round], refusals: [{ round: 2, refused, observed }] })).toMatchObject({
    outcome: 'failed',
    problems: [
      {
        received: `round 2, ${completed.key}: refused with status 401 (a signature made with another secret), but after the crash fulfilled`,
      },
    ],
  })
  expect(verdictOf({ rounds: [round] })?.outcome).toBe('passed')
  expect(verdictOf({ rounds: [{ ...round, refused: [] }] })?.outcome).toBe('untested')
})

test('a receiver that forgets a payment at a restart: the report shows what was sent', () => {
  const sent = [sentOnce(kit.delivery('completed'))]
  const report = reportOf({
    warm: {
      startMs: 1,
      effectMs: 1,
      wrong: {
        code: 'forgotten',
        payment: 'tx_1',
        stoppedByItself: true,
        effects: { fulfilled: 0, reversed: 0 },
        quietMs: 2_000,
      },
      sent,
    },
  })
  const verdict = report.verdicts.find(({ case: id }) => id === 'durability/kept-over-a-restart')
  expect(verdict).toMatchObject({
    outcome: 'failed',
    problems: [
      {
        received:
          'the receiver does not keep its state: tx_1 was fulfilled before a graceful restart (SIGTERM), and after it showed no effect, and nothing changed for 2.0 s',
      },
    ],
    exchanges: [{ delivery: { event: 'payment.completed' } }],
  })
})

test('the time in which the machine ran neither hookproof nor the receiver is in the report', () => {
  expect(reportOf({ stalledMs: 7_000 })).toMatchObject({ stalledMs: 7_000 })
})
