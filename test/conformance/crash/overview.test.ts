import { expect, test } from 'vitest'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import type { Payment } from '../../../conformance/crash/payments.ts'
import { overview } from '../../../conformance/crash/verdicts/overview.ts'
import { type Failure, failureOf, type RoundTimes } from '../../../conformance/crash/verdicts/story.ts'

const kit = createKit('crash', { secret: 'whsec_of_the_test', seed: 's', mode: 'test', now: () => 1 })
const TIMES: RoundTimes = {
  round: 2,
  moment: { kind: 'first-byte', acknowledgments: 2, delayMs: 0, ofStart: 0 },
  startedAt: 0,
  killedAt: 60,
  readyAt: 500,
}
const WRONG = { event: 'payment.completed', observed: 'no effect' } as const

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
  payment.sent.unshift({ ...again, answeredAt: undefined, status: undefined, error: 'reset' })
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
  const round = { payments: [acknowledgedAt(1)], acknowledged: 4, times: TIMES, kills: 1, failures }
  const { opening, guidance } = overview(failures, { rounds: [round, round, round] })
  return { opening: opening[0], fix: guidance?.fix }
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

test('a story has the times of the payment in order', () => {
  const { story } = failureOf('lost', acknowledgedAt(14), WRONG, TIMES, ', and nothing changed for 30.0 s')
  expect(story).toBe(
    'round 2, tx_1, payment.completed: acknowledged at 14 ms; killed at 60 ms (on the first byte of a 200); started again and accepted deliveries at 500 ms; then no effect, and nothing changed for 30.0 s',
  )
})

test('counts what was acknowledged before the kill apart from what was acknowledged after the restart', () => {
  const failures = [lost(30, true), neverHandled()]
  const round = { payments: [acknowledgedAt(1)], acknowledged: 4, times: TIMES, kills: 1, failures }
  const { opening, guidance } = overview(failures, { rounds: [round] })
  expect(opening).toHaveLength(2)
  expect(opening[0]).toMatch(/^lost: 1 of 4 acknowledged payments/)
  expect(opening[1]).toMatch(/^never handled: 1 payment/)
  expect(guidance).toBeUndefined()
})

test('a story never calls the probe of the restart acknowledged before the kill', () => {
  const payment = acknowledgedAt(500)
  const [sent] = payment.sent
  if (sent === undefined) throw new Error('it has one')
  payment.sent[0] = { ...sent, sentAt: 480 }
  const { story, beforeKillMs } = failureOf('lost', payment, WRONG, TIMES)
  expect(story).toContain('payment.completed: not sent before the kill; killed at 60 ms')
  expect(beforeKillMs).toBeUndefined()
})
