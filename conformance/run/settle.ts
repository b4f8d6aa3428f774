import { setTimeout as pause } from 'node:timers/promises'
import type { Effect } from '../../schemas/types.ts'
import type { Delivery } from '../case/delivery.ts'
import type { CatalogueCase, Evidence } from '../case/model.ts'
import type { Observer } from './observe.ts'
import { openFindings } from './verdict.ts'

/** How long nothing may change before effects count as settled, in milliseconds. */
const QUIET_MS = 200

/**
 * Looks at the effects until they are as expected and stay so, or the time is up. A marker payment sent last shows
 * that the receiver has come so far: without its effect, an absence of effects means nothing.
 *
 * @param waitMs how long to wait at the most, in milliseconds
 * @returns undefined when the marker's effect was not seen and so nothing can be said
 * @throws HarnessError `observation_failed`
 */
export async function settle(
  one: CatalogueCase,
  observer: Observer,
  evidence: Omit<Evidence, 'effects'>,
  marker: Delivery,
  waitMs: number,
): Promise<Evidence['effects'] | undefined> {
  const deadline = performance.now() + waitMs
  const ids = new Set(evidence.exchanges.flatMap(({ delivery }) => delivery.paymentId ?? []))
  const look = async (): Promise<Evidence['effects']> => {
    const seen = new Map<string, readonly Effect[]>()
    await Promise.all([...ids].map(async (id) => seen.set(id, await observer.effects(id))))
    return (id) => seen.get(id) ?? []
  }
  const reached = (effects: Evidence['effects']) =>
    effects(marker.paymentId ?? '').length > 0 && openFindings(one, { ...evidence, effects }) === 0

  let effects = await look()
  for (let gap = observer.intervalMs; !reached(effects) && performance.now() < deadline; gap *= 1.5) {
    await pause(Math.min(gap, 250))
    effects = await look()
  }
  if (effects(marker.paymentId ?? '').length === 0) {
    return openFindings(one, { ...evidence, effects }) === 0 ? undefined : effects
  }
  // A second effect may still be on its way.
  await pause(Math.min(QUIET_MS, waitMs))
  return look()
}
