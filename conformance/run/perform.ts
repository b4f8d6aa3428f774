import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery } from '../case/delivery.ts'
import type { Exchange } from '../case/model.ts'
import type { Step } from '../case/plan.ts'
import type { Sender } from '../deliver/http.ts'
import { sendPipelined, sendRaw } from '../deliver/pipelined.ts'
import { sendFewAtOnce } from './few-at-once.ts'
import type { Target } from './target.ts'

/** Sends the deliveries of one step. A `later` step only pauses, and an `until-effect` step does nothing. */
export async function perform(step: Step, sender: Sender, target: Target): Promise<Exchange[]> {
  const { how, deliveries } = step
  if (how === 'later') await pause(step.afterMs)
  if (how === 'separate-connections') return sendSeparately(deliveries, sender)
  if (how === 'few-at-once') return sendFewAtOnce(deliveries, sender)
  if (how === 'pipelined') return sendPipelined(deliveries, target, sender)
  const own = how === 'one-connection' ? sender.onOneConnection() : undefined
  const send = (delivery: Delivery): Promise<Exchange> =>
    delivery.transport?.kind === 'raw' ? sendRaw(delivery, target) : (own ?? sender).send(delivery)
  if (how === 'together') return Promise.all(deliveries.map(send))
  const exchanges: Exchange[] = []
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
