import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../conformance/case/delivery.ts'
import type { Sender } from '../../../conformance/deliver/http.ts'
import { sendFewAtOnce } from '../../../conformance/run/few-at-once.ts'
import { delivered, exchange } from '../report/evidence.ts'

/** A sender whose responses claim to have taken a time; it records how many were in flight. */
function senderOf(ms: number) {
  let inFlight = 0
  const seen: number[] = []
  const sender: Sender = {
    async send(delivery) {
      inFlight += 1
      seen.push(inFlight)
      await Promise.resolve()
      inFlight -= 1
      return exchange({ ms }, delivery)
    },
    group: (_, send) => send(sender),
    onOneConnection: () => sender,
    close: () => undefined,
  }
  return { sender, most: () => Math.max(...seen), sent: () => seen.length }
}
const many = (count: number): Delivery[] =>
  Array.from({ length: count }, (_, n) => delivered({ change: String(n) }))

describe('sendFewAtOnce', () => {
  it('sends every delivery, six at a time, and returns the exchanges in order', async () => {
    const { sender, most } = senderOf(1)
    const exchanges = await sendFewAtOnce(many(40), sender)
    expect(exchanges.map(({ delivery }) => Number(delivery.change))).toEqual([...many(40).keys()])
    expect(most()).toBe(6)
  })

  it('sends thirty at a time to a receiver that answers slowly, and remembers that', async () => {
    const { sender, most } = senderOf(600)
    await sendFewAtOnce(many(7), sender)
    expect(most()).toBeLessThanOrEqual(7)
    expect(await sendFewAtOnce(many(80), sender)).toHaveLength(80)
    expect(most()).toBe(30)
  })

  it('stops when there is enough', async () => {
    const { sender, sent } = senderOf(1)
    await sendFewAtOnce(many(40), sender, (done) => done.length >= 10)
    expect(sent()).toBeLessThan(17)
  })

  it('sends nothing when nothing is given', async () => {
    expect(await sendFewAtOnce([], senderOf(1).sender)).toEqual([])
  })
})
