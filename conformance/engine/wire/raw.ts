import type { Delivery } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import type { Target } from '../target.ts'
import { converse } from './conversation.ts'

/** Sends one delivery as it stands on a separate connection, even where node:http would refuse to. */
export async function sendRaw(delivery: Delivery, target: Target): Promise<Exchange> {
  const withinMs = delivery.transport?.kind === 'raw' ? delivery.transport.withinMs : undefined
  const { answers, error, hungUp } = await converse([delivery], target, withinMs)
  const [answer] = answers
  if (answer !== undefined) return { delivery, answer, error: undefined }
  return { delivery, answer: undefined, error, ...(hungUp && { unanswered: true }) }
}
