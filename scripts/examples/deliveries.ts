import { setTimeout as pause } from 'node:timers/promises'
import { sign } from '../../fixtures/index.ts'
import type { ServiceEvent } from '../../schemas/types.ts'
import type { Setting } from './running.ts'

/**
 * Sends a valid delivery.
 * @param bytes of its body
 * @returns the time until the acknowledgment, in milliseconds
 * @throws Error if it is not acknowledged
 */
export async function deliver(
  { url, secret }: Pick<Setting, 'url' | 'secret'>,
  bytes: Uint8Array,
): Promise<number> {
  const body = new Uint8Array(bytes)
  const { header } = sign({ secret, t: Math.floor(Date.now() / 1000), body })
  const headers = { 'content-type': 'application/json', 'x-service-signature': header }
  const begin = performance.now()
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`a valid delivery was answered ${response.status}`)
  return performance.now() - begin
}

interface Effect {
  readonly effect: string
  readonly amount: string
  readonly livemode?: boolean
}

/** What an example shows of the payment of an event. */
export async function effectsOf({ id }: ServiceEvent, { observe }: Setting): Promise<readonly Effect[]> {
  const response = await fetch(`${observe}?payment_id=${encodeURIComponent(id)}`)
  const { effects } = (await response.json()) as { effects: readonly Effect[] }
  return effects
}

const HANDLED_WITHIN_MS = 10_000
const POLL_MS = 50

/** Waits until something holds. @returns false if that takes too long */
export async function becomes(
  holds: () => boolean | Promise<boolean>,
  withinMs = HANDLED_WITHIN_MS,
): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) return false
    await pause(POLL_MS)
  }
  return true
}

/** Waits until the payment of an event has as many effects. @returns false if that takes too long */
export const hasEffects = (count: number, event: ServiceEvent, setting: Setting): Promise<boolean> =>
  becomes(async () => (await effectsOf(event, setting)).length >= count)
