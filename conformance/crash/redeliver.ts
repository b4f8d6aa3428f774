import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery } from '../contracts/payment-service/delivery.ts'
import type { Kit } from '../contracts/payment-service/kit.ts'
import { awakeNow } from '../engine/time/awake.ts'
import { COMPLETED, type Payment, REFUND, wasSent } from './payments.ts'
import { type Sent, send } from './send.ts'
import type { World } from './world.ts'

const LANES = 4
const FIRST_GAP_MS = 50
const LONGEST_GAP_MS = 1_000

/** A redelivery that was never acknowledged. */
export interface Refused {
  readonly payment: Payment
  readonly event: typeof COMPLETED | typeof REFUND
  readonly observed: string
}

type Needed = Pick<World, 'target' | 'recoverWithinMs' | 'signal' | 'sent' | 'onWaiting'> & {
  readonly kit: Kit
}

/**
 * Delivers every payment again with new signatures, each event until it is acknowledged: a receiver may ask for a while
 * that the sender come again.
 *
 * @returns what was not acknowledged although no other redelivery had been for the time to recover
 */
export async function redeliver(payments: readonly Payment[], world: Needed): Promise<Refused[]> {
  const { kit, target, recoverWithinMs, signal } = world
  const queue = [...payments]
  const refused: Refused[] = []
  let progressAt = awakeNow()

  async function untilAcknowledged(delivery: Delivery, payment: Payment): Promise<Sent> {
    for (let gap = FIRST_GAP_MS; ; gap = Math.min(gap * 2, LONGEST_GAP_MS)) {
      signal?.throwIfAborted()
      const last = await send(kit.redelivery(delivery), target)
      payment.sent.push(last)
      world.sent(last)
      if (last.status === 200) progressAt = awakeNow()
      if (last.status === 200 || awakeNow() - progressAt > recoverWithinMs) return last
      world.onWaiting('waiting for the receiver to accept redeliveries')
      await pause(gap)
    }
  }
  async function lane(): Promise<void> {
    for (let payment = queue.shift(); payment !== undefined; payment = queue.shift()) {
      const events: [typeof COMPLETED | typeof REFUND, Delivery | undefined][] = [
        [COMPLETED, payment.completed],
        [REFUND, payment.refund],
      ]
      for (const [event, delivery] of events) {
        if (delivery === undefined || !wasSent(payment, event)) continue
        const last = await untilAcknowledged(delivery, payment)
        if (last.status === 200) continue
        const answer = last.status === undefined ? (last.error ?? 'no response') : `status ${last.status}`
        refused.push({ payment, event, observed: `${answer} to every redelivery` })
        break
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return refused
}
