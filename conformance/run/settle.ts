import { setTimeout as pause } from 'node:timers/promises'
import type { Effect } from '../../schemas/types.ts'
import type { Delivery } from '../case/delivery.ts'
import type { CatalogueCase, Evidence } from '../case/model.ts'
import type { Observer } from './observe.ts'
import { openFindings } from './verdict.ts'

/** How long to wait for a further effect after the effects are as expected, in milliseconds. */
const QUIET_MS = 200

/**
 * Observes the effects until they are as expected, or the time is up. A marker payment sent last shows that the receiver
 * has caught up: without its effect, an absence of other effects means nothing.
 *
 * @param waitMs the longest time to wait, in milliseconds
 * @returns undefined when the marker's effect was not seen, so that an absence proves nothing
 * @throws HarnessError `observation_failed`
 */
export async function settle(
  testCase: CatalogueCase,
  observer: Observer,
  evidence: Omit<Evidence, 'effects'>,
  marker: Delivery,
  waitMs: number,
): Promise<Evidence['effects'] | undefined> {
  const deadline = performance.now() + waitMs
  const ids = new Set(evidence.exchanges.flatMap(({ delivery }) => delivery.paymentId ?? []))
  const observe = async (): Promise<Evidence['effects']> => {
    const seen = new Map<string, readonly Effect[]>()
    await Promise.all([...ids].map(async (id) => seen.set(id, await observer.effects(id))))
    return (id) => seen.get(id) ?? []
  }
  const reached = (effects: Evidence['effects']) =>
    effects(marker.paymentId ?? '').length > 0 && openFindings(testCase, { ...evidence, effects }) === 0

  let effects = await observe()
  for (let gap = observer.intervalMs; !reached(effects) && performance.now() < deadline; gap *= 1.5) {
    await pause(Math.min(gap, 250))
    effects = await observe()
  }
  if (effects(marker.paymentId ?? '').length === 0) {
    return openFindings(testCase, { ...evidence, effects }) === 0 ? undefined : effects
  }
  // A second effect may still follow.
  await pause(Math.min(QUIET_MS, waitMs))
  return observe()
}

/**
 * Waits until each payment shows an effect, or the time is up.
 *
 * @param waitMs the longest time to wait, in milliseconds
 * @throws HarnessError `observation_failed`
 */
export async function effectsOf(
  payments: readonly string[],
  observer: Observer,
  waitMs: number,
): Promise<void> {
  const deadline = performance.now() + waitMs
  await Promise.all(
    payments.map(async (id) => {
      for (let gap = observer.intervalMs; (await observer.effects(id)).length === 0; gap *= 1.5) {
        if (performance.now() >= deadline) return
        await pause(Math.min(gap, 250))
      }
    }),
  )
}
