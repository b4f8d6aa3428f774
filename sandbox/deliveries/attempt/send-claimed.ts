import type { Claimed } from '../../store/outbox.ts'
import type { Chaos } from '../chaos.ts'
import { classify, failure } from './failure.ts'
import type { Exchange, Sender } from './sender.ts'
import { signatureFor } from './sign.ts'

/**
 * Signs and sends a claimed delivery, unless its endpoint was deleted (interface 4.4) or chaos drops it. Never rejects.
 * @param using wall: real time, in milliseconds; signal: aborts it
 */
export async function sendClaimed(
  { delivery, body, secret }: Claimed,
  { sender, wall, signal }: { sender: Sender; wall: number; signal: AbortSignal },
): Promise<Exchange> {
  const unsent = { sent: {}, durationMs: 0 }
  if (secret === null) {
    return { ...unsent, failure: failure('aborted', 'the endpoint was deleted and its secret destroyed') }
  }
  const { url, endpointId, attempts: attempt } = delivery
  const chaos: Chaos | null = delivery.chaos
  if (attempt <= (chaos?.dropFirst ?? 0)) {
    return { ...unsent, failure: failure('timeout', 'dropped on purpose before sending (chaos: dropFirst)') }
  }
  try {
    const signature = signatureFor({ secret, body, now: wall, attempt, chaos })
    return await sender.send({ url, endpointId, body, signature }, signal)
  } catch (error) {
    return { ...unsent, failure: classify(error) }
  }
}
