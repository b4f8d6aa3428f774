import { expect, it, onTestFinished, vi } from 'vitest'
import { CATALOGUE } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { paymentService } from '../../../../conformance/contracts/payment-service/index.ts'
import { createKit } from '../../../../conformance/contracts/payment-service/kit.ts'
import type { Verdict } from '../../../../conformance/contracts/webhook/model.ts'
import { createTarget } from '../../../../conformance/contracts/webhook/target.ts'
import { observeWith } from '../../../../conformance/engine/observe/observe.ts'
import { createTraffic } from '../../../../conformance/engine/pace/traffic.ts'
import type { Sender } from '../../../../conformance/engine/wire/sender.ts'
import { receivedText } from '../../../../conformance/report/words/findings.ts'
import { LONG_CASES } from '../../../support/long-cases.ts'
import { runCases as runAll } from '../../run-cases.ts'
import { smallReceiver } from '../../small-receiver.ts'
import { SECRET } from '../../support.ts'

const { observation, shownBy } = paymentService

/** How long each delivery waits for its turn, as at a low rate, in milliseconds. */
const WAIT_MS = 20_000
/** In the others, a delivery may still be on its way while the next one waits, and then arrive too late. */
const SECTIONS = ['signature-header', 'time-window', 'refusals', 'duplicates', 'effects']
/** They wait for all others, and the clock has moved on by hours until then. */
const AFTER_ALL: readonly string[] = ['duplicates/after-its-signature-expired', 'time-window/clock-advances']

/** They send hundreds of payments, or wait on an open connection, while the clock of this test stands. */
const LEFT_OUT: readonly string[] = [
  ...LONG_CASES.filter((id) => !AFTER_ALL.includes(id)),
  'time-window/clock-advances-on-an-open-connection',
]

let onTheirWay = 0

/** The same sender, whose deliveries wait before they are sent, unless another one is on its way: it would arrive too late. */
function waiting<T extends Sender>(sender: T): T {
  const afterWaiting = async <R>(send: () => Promise<R>): Promise<R> => {
    if (onTheirWay === 0) vi.setSystemTime(Date.now() + WAIT_MS)
    onTheirWay += 1
    return send().finally(() => (onTheirWay -= 1))
  }
  return {
    ...sender,
    send: (delivery) => afterWaiting(() => sender.send(delivery)),
    group: (count, work) => afterWaiting(() => sender.group(count, work)),
    onOneConnection: () => waiting(sender.onOneConnection()),
  }
}

it('accuses no correct receiver whose deliveries wait for their turn', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const receiver = await smallReceiver()
  const now = () => Math.floor(Date.now() / 1000)
  const kitOptions = { secret: SECRET, seed: '1', mode: 'test', now } as const
  const target = createTarget({
    url: new URL(receiver.url),
    secret: SECRET,
    signatureHeader: 'X-Service-Signature',
    headers: [],
    timeoutMs: 10_000,
  })
  const limits = { target, concurrency: 1, ackWithinMs: 30_000 }
  const plain = () => createKit('plain', kitOptions).delivery('completed')
  const traffic = waiting(createTraffic({ ...limits, plain }))
  const cases = CATALOGUE.filter(
    ({ id, section, mode }) => mode !== 'live' && SECTIONS.includes(section) && !LEFT_OUT.includes(id),
  )
  const observer = observeWith((id) => shownBy(receiver.effects(id)), observation, 1000)
  const verdicts: Verdict[] = []
  for await (const verdict of runAll({ ...kitOptions, ...limits, cases, traffic, observer, waitMs: 3_000 }))
    verdicts.push(verdict)

  const problems = verdicts.filter(({ outcome }) => outcome !== 'passed')
  expect(
    problems.map(({ case: { id }, outcome, reason, problems: [first] }) => [
      id,
      outcome,
      reason,
      first && receivedText(first),
    ]),
  ).toEqual([])
  expect(verdicts.length).toBe(cases.length)
})
