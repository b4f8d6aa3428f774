import { describe, expect, it } from 'vitest'
import type { CaseId } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { paymentService } from '../../../../conformance/contracts/payment-service/index.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { Exchange, Verdict } from '../../../../conformance/contracts/webhook/model.ts'
import { causesFrom } from '../../../../conformance/diagnosis/diagnose.ts'
import { suspicionsOf } from '../../../../conformance/diagnosis/investigate/connections.ts'
import { NOTHING_FOUND } from '../../../../conformance/diagnosis/symptoms.ts'
import type { Observer } from '../../../../conformance/engine/observe/observe.ts'
import type { Sender } from '../../../../conformance/engine/wire/sender.ts'
import type { Effect } from '../../../../schemas/types.ts'
import { caseOf, kitOf } from '../../support.ts'

const kit = kitOf('robustness/good-after-broken-off')
const answered = (delivery: Delivery, ms: number): Exchange => ({
  delivery,
  answer: { status: 200, headers: [], body: Buffer.alloc(0), truncated: false, ms },
  error: undefined,
})
const silent = (delivery: Delivery): Exchange => ({
  delivery,
  answer: undefined,
  error: { code: 'timeout' },
})

/** A run in which one valid delivery was answered, and a later one was not. */
const verdict: Verdict = {
  case: caseOf('robustness/good-after-broken-off'),
  outcome: 'failed',
  problems: [],
  reason: undefined,
  exchanges: [
    answered({ ...kit.delivery('completed'), role: 'control' }, 1),
    silent({ ...kit.delivery('completed'), role: 'control' }),
  ],
  durationMs: 1,
}

/** Finds out why, from what a receiver answers while a number of bodies are unfinished. */
async function probed(
  answer: (delivery: Delivery, unfinished: number, gapMs: number) => Exchange,
  verdicts: readonly Verdict[] = [verdict],
): Promise<string[]> {
  const unfinished: (() => void)[] = []
  let gapMs = 0
  const sender: Sender = {
    async send(delivery) {
      if (delivery.transport?.kind === 'drip') {
        gapMs = delivery.transport.gapMs
        await new Promise<void>((resolve) => unfinished.push(resolve))
        return answered(delivery as Delivery, gapMs)
      }
      const exchange = answer(delivery as Delivery, unfinished.length, gapMs)
      for (const finish of unfinished.splice(0)) finish()
      return exchange
    },
    group: (_, together) => together(sender),
    onOneConnection: () => sender,
    close: () => undefined,
  }
  const found = await suspicionsOf(
    { service: paymentService, verdicts },
    { sender, kit, observer: undefined, waitMs: 1 },
  )
  return causesFrom(
    { service: paymentService, verdicts, isNarrowed: false },
    { ...NOTHING_FOUND, probed: found },
  ).map(({ code }) => code)
}

describe('a receiver that fails after senders broke off', () => {
  const at = kitOf('robustness/good-after-many-broken-off')
  const brokenOff: Exchange = {
    delivery: { ...at.delivery('completed'), transport: { kind: 'truncated', after: 1 } },
    answer: undefined,
    error: undefined,
    unanswered: true,
  }
  const failing = (delivery: Delivery): Exchange => {
    const { answer, ...exchange } = answered(delivery, 1)
    return { ...exchange, answer: answer && { ...answer, status: 503 } }
  }
  const control = () => ({ ...at.delivery('completed'), role: 'control' as const })
  const since: Verdict = {
    ...verdict,
    case: caseOf('robustness/good-after-many-broken-off'),
    exchanges: [brokenOff, failing(control())],
  }
  const before: Verdict = {
    ...verdict,
    exchanges: [answered(control(), 1), failing({ ...control(), madeAt: 1 })],
  }
  /** Sent after them, but made before: it had waited. */
  const waited: Verdict = {
    ...verdict,
    exchanges: [answered(control(), 1), failing({ ...control(), madeAt: (control().madeAt ?? 0) - 2 })],
  }
  const accepted = (times: number): Verdict => ({
    ...verdict,
    outcome: 'passed',
    exchanges: Array.from({ length: times }, () => answered(control(), 1)),
  })
  const passed = accepted(3)

  it('keeps their places', async () => {
    expect(await probed(failing, [passed, since])).toEqual(['places_not_released'])
    expect(await probed(failing, [passed, since, waited])).toEqual(['places_not_released'])
  })

  it('has recovered', async () => {
    expect(await probed((delivery) => answered(delivery, 1), [passed, since])).not.toContain(
      'places_not_released',
    )
  })

  it('failed before', async () => {
    expect(await probed(failing, [passed, before, since])).not.toContain('places_not_released')
  })

  it('failed most of the run', async () => {
    expect(await probed(failing, [accepted(1), since])).not.toContain('places_not_released')
  })
})

describe('a receiver that left a delivery without an answer', () => {
  it.each([1, 20])('waits for the unfinished bodies of others, of which there are %i', async (workers) => {
    const late = (delivery: Delivery, unfinished: number, gapMs: number) =>
      answered(delivery, unfinished >= workers ? gapMs - 80 : 5)
    expect(await probed(late)).toEqual(['blocked_by_unfinished_body'])
  })

  it('answers nothing any more', async () => {
    expect(await probed((delivery) => silent(delivery))).toEqual(['stopped_answering'])
  })

  it('was slow for another reason', async () => {
    expect(await probed((delivery) => answered(delivery, 800))).toEqual([])
  })
})

/** A case in which a payment was handled twice. */
function doubledIn(id: CaseId): Verdict {
  const at = kitOf(id)
  const delivery = at.delivery('completed')
  const effect = { event: 'payment.completed', effect: 'fulfilled', amount: '1.00', currency: 'USD' } as const
  return {
    ...verdict,
    case: caseOf(id),
    exchanges: [answered(delivery, 1), answered(delivery, 1)],
    effects: new Map([[delivery.key ?? '', [effect, effect]]]),
  }
}

/**
 * Finds out why, at a receiver whose processes remember payments by themselves.
 * @param processOf the process that a delivery reaches, by the number of its connection and of the delivery
 * @param doubled the cases in which copies were handled twice, when nothing else failed
 */
async function handledAgain(
  processOf: (connection: number, delivery: number) => number,
  doubled: readonly CaseId[] = ['duplicates/delivered-20-times-at-once'],
): Promise<string[]> {
  const seen = new Set<string>()
  const handled: string[] = []
  let connections = 0
  let deliveries = 0
  const senderOf = (connection: number): Sender => ({
    async send(delivery) {
      deliveries += 1
      const key = `${processOf(connection, deliveries)} ${delivery.key}`
      if (!seen.has(key)) handled.push(delivery.key ?? '')
      seen.add(key)
      return answered(delivery as Delivery, 1)
    },
    group: (_, together) => together(senderOf(connection)),
    onOneConnection: () => senderOf((connections += 1)),
    close: () => undefined,
  })
  const observer: Observer<Effect> = {
    effects: async (id) =>
      handled
        .filter((one) => one === id)
        .map(() => ({ event: 'payment.completed', effect: 'fulfilled', amount: '1.00', currency: 'USD' })),
    intervalMs: 1,
    parallel: 8,
    sample: 20,
  }
  const run = doubled.map(doubledIn)
  const found = await suspicionsOf(
    { service: paymentService, verdicts: run },
    { sender: senderOf(0), kit, observer, waitMs: 1 },
  )
  return causesFrom(
    { service: paymentService, verdicts: run, isNarrowed: false },
    { ...NOTHING_FOUND, probed: found },
  ).map(({ code }) => code)
}

describe('a receiver that handles copies twice that arrive together, and no others', () => {
  it('has processes that remember payments by themselves, of which the other cases reached one', async () => {
    expect(await handledAgain((connection) => connection % 2)).toEqual(['deduplicated_per_process'])
  })

  it('closed a connection of the probe once, so that the probe is repeated', async () => {
    expect(await handledAgain((connection, delivery) => (delivery === 2 ? 2 : connection % 2))).toEqual([
      'deduplicated_per_process',
    ])
  })

  it('has one process that is not atomic', async () => {
    expect(await handledAgain(() => 1)).toEqual(['not_atomic'])
  })

  it('handles each copy of the probe again', async () => {
    expect(await handledAgain((_, delivery) => delivery)).toEqual(['not_atomic'])
  })
})

describe('a receiver that handles a copy twice after a second', () => {
  it('has forgotten the first, if it handles copies once that follow at once', async () => {
    expect(await handledAgain(() => 1, ['duplicates/after-a-second'])).toEqual(['deduplication_forgotten'])
  })

  it('has not forgotten it, if one with another signature was handled twice at once', async () => {
    const doubled: CaseId[] = ['duplicates/after-a-second', 'duplicates/signed-again']
    expect(await handledAgain(() => 1, doubled)).not.toContain('deduplication_forgotten')
  })
})
