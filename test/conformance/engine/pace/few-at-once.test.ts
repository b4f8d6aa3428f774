import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import { fewAtOnceBy } from '../../../../conformance/engine/pace/few-at-once.ts'
import type { Sender } from '../../../../conformance/engine/wire/sender.ts'
import { delivered, exchange } from '../../report/evidence.ts'

/** A sender whose responses claim to have taken a time, each or for each in flight; it records how many were in flight. */
function senderOf(ms: number | ((inFlight: number) => number)) {
  let inFlight = 0
  const seen: number[] = []
  const sender: Sender = {
    async send(delivery) {
      inFlight += 1
      seen.push(inFlight)
      const taken = typeof ms === 'number' ? ms : ms(inFlight)
      await Promise.resolve()
      inFlight -= 1
      return exchange({ ms: taken }, delivery)
    },
    group: (_, send) => send(sender),
    onOneConnection: () => sender,
    close: () => undefined,
  }
  return { sender, inFlight: seen, most: () => Math.max(...seen), sent: () => seen.length }
}
const many = (count: number): Delivery[] =>
  Array.from({ length: count }, (_, n) => delivered({ change: String(n) }))

describe('sending a few at once', () => {
  it('sends every delivery, six at a time, and returns the exchanges in order', async () => {
    const { sender, most } = senderOf(1)
    const exchanges = await fewAtOnceBy(sender)(many(40))
    expect(exchanges.map(({ delivery }) => Number(delivery.change))).toEqual([...many(40).keys()])
    expect(most()).toBe(6)
  })

  it('sends thirty at a time to a receiver that answers slowly, and remembers that', async () => {
    const { sender, most } = senderOf(600)
    const send = fewAtOnceBy(sender)
    await send(many(7))
    expect(most()).toBeLessThanOrEqual(7)
    expect(await send(many(80))).toHaveLength(80)
    expect(most()).toBe(30)
  })

  it('sends six at a time to a receiver that answers in turn, however slowly, once twelve made it slower', async () => {
    const { sender, most, inFlight } = senderOf((queued) => 150 * queued)
    const send = fewAtOnceBy(sender)
    expect(await send(many(60))).toHaveLength(60)
    expect(most()).toBe(12)
    const before = inFlight.length
    await send(many(60))
    expect(Math.max(...inFlight.slice(before))).toBe(6)
  })

  it('stops when there is enough', async () => {
    const { sender, sent } = senderOf(1)
    await fewAtOnceBy(sender)(many(40), (done) => done.length >= 10)
    expect(sent()).toBeLessThan(17)
  })

  it('sends nothing when nothing is given', async () => {
    expect(await fewAtOnceBy(senderOf(1).sender)([])).toEqual([])
  })
})
