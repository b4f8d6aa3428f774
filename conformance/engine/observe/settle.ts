import type { Delivery } from '../../contracts/payment-service/delivery.ts'
import type { CatalogueCase, Evidence, Exchange } from '../../contracts/payment-service/model.ts'
import { standing } from '../../contracts/verdict.ts'
import { awakeNow, pauseAwake } from '../time/awake.ts'
import type { Watch } from './watch.ts'

/** How long to wait for a further effect after the effects are as expected, in milliseconds. */
const QUIET_MS = 200
/** How often effects that were as expected may turn out to be incomplete. */
const MOST_ROUNDS = 5

/** The effects of a case once they can be judged. */
export interface Settled {
  readonly effects: Evidence['effects']
  /** `incomplete`: further effects may follow, so that only what is there can be judged. */
  readonly state: 'complete' | 'incomplete'
  readonly markerSeen: boolean
  /** How long after the last response the effects were as expected, in milliseconds; undefined if they never were. */
  readonly effectsMs: number | undefined
}

/**
 * Observes the effects of a case until they can be judged. What is wrong and will stay wrong is decided at once, and
 * effects that are as expected once a marker payment sent last shows its own. An absence is decided only after nothing has
 * changed anywhere in the run for the waiting time: a receiver may process what it acknowledged in any order.
 *
 * @param sentAt when the last response of the case arrived
 * @throws HarnessError `observation_failed`
 */
export async function settle(
  testCase: CatalogueCase,
  watch: Watch,
  evidence: Omit<Evidence, 'effects'>,
  marker: Delivery,
  sentAt: number,
): Promise<Settled> {
  const ids = observedIn(evidence.exchanges)
  let effects: Evidence['effects'] = () => []
  const markerSeen = () => effects(marker.paymentId ?? '').length > 0
  const state = () => standing(testCase, { ...evidence, effects })
  const settled = (how: Settled['state'], effectsMs?: number): Settled => ({
    effects,
    state: how,
    markerSeen: markerSeen(),
    effectsMs,
  })

  // The responses have failed the case: no effect can change that, and those of a refused payment never come.
  const hasFailed = state() === 'failed'
  const isAwaited = evidence.exchanges.some(
    ({ delivery, answer }) => delivery.paymentId === marker.paymentId && answer?.status === 200,
  )
  const look = async (): Promise<boolean> => {
    effects = await watch.observe(ids)
    if (state() === 'wrong') return true
    return hasFailed ? markerSeen() || !isAwaited : markerSeen() && state() === 'met'
  }
  for (let round = 0; round < MOST_ROUNDS && (await watch.until(look, ids.size)); round += 1) {
    if (state() === 'wrong') return settled('complete')
    const effectsMs = Math.max(0, awakeNow() - sentAt)
    if (hasFailed && !isAwaited) return settled('incomplete')
    // A second effect may still follow.
    await pauseAwake(Math.min(QUIET_MS, watch.waitMs))
    effects = await watch.observe(ids)
    if (hasFailed) return settled('incomplete')
    if (state() !== 'open') return settled('complete', effectsMs)
  }
  return settled('complete')
}

/** The payments that a case is judged by: what is sent only to prepare for them is not. */
export function observedIn(exchanges: readonly Exchange[]): ReadonlySet<string> {
  return new Set(
    exchanges.flatMap(({ delivery: { role, paymentId } }) =>
      role === 'context' || paymentId === undefined ? [] : paymentId,
    ),
  )
}
