import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../../conformance/case/delivery.ts'
import type { Exchange, Verdict } from '../../../../conformance/case/model.ts'
import type { Sender } from '../../../../conformance/deliver/http.ts'
import { diagnose } from '../../../../conformance/diagnose/diagnosis.ts'
import { NO_FINDINGS } from '../../../../conformance/diagnose/findings.ts'
import { probe } from '../../../../conformance/diagnose/probes/probes.ts'
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
  error: { code: 'timeout', message: 'no response' },
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
): Promise<string[]> {
  const unfinished: (() => void)[] = []
  let gapMs = 0
  const sender: Sender = {
    async send(delivery) {
      if (delivery.transport?.kind === 'drip') {
        gapMs = delivery.transport.gapMs
        await new Promise<void>((resolve) => unfinished.push(resolve))
        return answered(delivery, gapMs)
      }
      const exchange = answer(delivery, unfinished.length, gapMs)
      for (const finish of unfinished.splice(0)) finish()
      return exchange
    },
    group: (_, together) => together(sender),
    onOneConnection: () => sender,
    close: () => undefined,
  }
  const found = await probe([verdict], { sender, kit, observer: undefined, waitMs: 1 })
  return diagnose([verdict], { ...NO_FINDINGS, probed: found }).map(({ code }) => code)
}

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
