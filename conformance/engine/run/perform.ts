import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery } from '../../contracts/payment-service/delivery.ts'
import type { Exchange } from '../../contracts/payment-service/model.ts'
import { fewAtOnceBy } from '../pace/few-at-once.ts'
import type { Step } from '../plan.ts'
import type { Target } from '../target.ts'
import { sendWhileHeld } from '../wire/held.ts'
import type { Sender } from '../wire/http.ts'
import { sendPipelined } from '../wire/pipelined.ts'

/** How a step is performed. */
interface Manner {
  /** Whether deliveries that do not depend on one another are sent together. */
  readonly isHurried?: boolean
  /** Gets the exchanges of deliveries in turn, also when a later one cannot be sent. */
  readonly sent?: Exchange[]
}

/** Sends the deliveries of one step. A `later` or `pause` step only pauses, and an `until-effect` step does nothing. */
export async function perform(
  step: Step,
  sender: Sender,
  target: Target,
  { isHurried = false, sent: exchanges = [] }: Manner = {},
): Promise<Exchange[]> {
  const { how, deliveries } = step
  if (how === 'later') await pause(step.afterMs)
  if (how === 'pause') await pause(step.ms)
  if (how === 'separate-connections') return sendSeparately(deliveries, sender)
  if (how === 'few-at-once') return fewAtOnceBy(sender)(deliveries)
  if (how === 'pipelined') {
    return sender.group(deliveries.length, (inner) => sendPipelined(deliveries, target, inner))
  }
  if (how === 'held') {
    return sender.group(deliveries.length, (inner) => sendWhileHeld(deliveries, target, inner))
  }
  if (how === 'together') {
    return sender.group(deliveries.length, (inner) =>
      Promise.all(deliveries.map((delivery) => inner.send(delivery))),
    )
  }
  const own = how === 'one-connection' ? sender.onOneConnection() : undefined
  const send = (delivery: Delivery): Promise<Exchange> => (own ?? sender).send(delivery)
  if (how === 'in-any-order' && isHurried) return Promise.all(deliveries.map(send))
  for (const delivery of deliveries) exchanges.push(await send(delivery))
  own?.close()
  return exchanges
}

async function sendSeparately(deliveries: readonly Delivery[], sender: Sender): Promise<Exchange[]> {
  const own: Sender[] = []
  const exchanges: Exchange[] = []
  for (const delivery of deliveries) {
    const next = sender.onOneConnection()
    own.push(next)
    exchanges.push(await next.send(delivery))
  }
  // Open until the end: a balancer that counts connections would give the place of a closed one to the next.
  for (const one of own) one.close()
  return exchanges
}
