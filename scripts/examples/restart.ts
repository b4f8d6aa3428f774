import { createGenerator } from '../../fixtures/index.ts'
import { deliver } from './deliver.ts'
import type { Receiver } from './process.ts'

const PAYMENTS = 30
const WAIT_MS = 20_000
const POLL_MS = 100

/**
 * Sends payments together, kills the receiver right after the last acknowledgment, starts it again with the same database
 * and sends each payment again.
 * @returns the payments that are not fulfilled exactly once, one line each
 */
export async function lostAfterRestart(
  { origin, secret }: { origin: string; secret: string },
  receiver: Receiver,
  restart: () => Promise<unknown>,
): Promise<string[]> {
  const generator = createGenerator(`restart ${Date.now()}`)
  const payments = Array.from({ length: PAYMENTS }, () => generator.event('completed'))
  const sendAll = () => Promise.all(payments.map((event) => deliver(`${origin}/webhooks`, secret, event)))
  await sendAll()
  await receiver.kill()
  await restart()

  const effects = new Map<string, number>()
  const deadline = performance.now() + WAIT_MS
  const countAll = async () => {
    for (const { id } of payments) effects.set(id, await countEffects(origin, id))
  }
  await countAll()
  while ([...effects.values()].some((count) => count === 0) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    await countAll()
  }
  const lost = [...effects].filter(([, count]) => count === 0)
  await sendAll()
  await new Promise((resolve) => setTimeout(resolve, 10 * POLL_MS))
  await countAll()
  const repeated = [...effects].filter(([, count]) => count > 1)
  return [
    ...lost.map(([id]) => `acknowledged and not fulfilled after a restart: ${id}`),
    ...repeated.map(([id, count]) => `fulfilled ${count} times after a restart: ${id}`),
  ]
}

async function countEffects(origin: string, paymentId: string): Promise<number> {
  const response = await fetch(`${origin}/observe?payment_id=${encodeURIComponent(paymentId)}`)
  const { effects } = (await response.json()) as { effects: unknown[] }
  return effects.length
}
