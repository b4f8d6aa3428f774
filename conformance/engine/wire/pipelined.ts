import type { Delivery } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import { renewed } from '../renewal.ts'
import type { Target } from '../target.ts'
import { converse } from './conversation.ts'
import type { Sender } from './http.ts'

/**
 * Sends all deliveries in one write on a separate connection, before any response, which node:http cannot do. A receiver
 * may close the connection after a response; the unanswered deliveries are then sent again, as HTTP/1.1 requires.
 */
export async function sendPipelined(
  planned: readonly Delivery[],
  target: Target,
  sender: Sender,
): Promise<Exchange[]> {
  const deliveries = planned.map(renewed)
  const { answers, error } = await converse(deliveries, target)
  return Promise.all(
    deliveries.map(async (delivery, index): Promise<Exchange> => {
      const answer = answers[index]
      if (answer !== undefined) return { delivery, answer, error: undefined }
      return error === undefined ? sender.send(delivery) : { delivery, answer: undefined, error }
    }),
  )
}
