import type { Effect } from '../../../schemas/types.ts'
import type { KitOptions } from '../../contracts/webhook/kit.ts'
import type { Verdict } from '../../contracts/webhook/model.ts'
import type { ShownHandling } from '../../contracts/webhook/observation.ts'
import type { Observer } from '../../engine/observe/observe.ts'
import type { Traffic } from '../../engine/pace/traffic.ts'
import { pauseAwake } from '../../engine/time/awake.ts'
import { type FoundAfterwards, lacksEffects, MOST, type Symptoms } from '../symptoms.ts'
import { givenAway, inChunks } from './alternatives.ts'
import { suspicionsOf } from './connections.ts'
import { whenLost } from './loss.ts'

/** By what more deliveries are sent after the cases, and effects are looked at once more. */
export interface Send {
  /** Sends at the rate of the run. */
  readonly traffic: Pick<Traffic, 'aside'>
  readonly kit: KitOptions
  readonly observer: Observer<Effect | ShownHandling> | undefined
  /** How long the receiver gets for effects that are missing, in milliseconds. */
  readonly waitMs: number
}

/** How long to wait at most for effects, in milliseconds. */
const MOST_WAIT_MS = 5_000
/** How many payments are looked at again. */
const LOOKED_AT = 40

/**
 * Looks for the cause when nearly every valid delivery was refused, by deliveries that each give one mistake away, or
 * when effects are missing, by looking once more. A run without such failures sends nothing and does not wait.
 */
export async function investigate(
  run: Pick<Symptoms, 'service' | 'verdicts'>,
  send: Send,
): Promise<FoundAfterwards> {
  const { service, verdicts } = run
  const { traffic, kit, observer, waitMs } = send
  const sender = traffic.aside()
  const probes = service.createKit('probes', kit)
  const by = {
    sender,
    kit: probes,
    observer,
    waitMs: Math.min(waitMs, MOST_WAIT_MS),
  }
  const given = await givenAway(run, traffic, kit)
  const probed = await suspicionsOf(run, by)
  // Payments that are lost for one of those reasons need no other one.
  const lost = probed.length === 0 ? await whenLost(verdicts, by) : { probed: [] }
  sender.close()
  return {
    ...given,
    ...lost,
    probed: [...probed, ...lost.probed],
    lateEffects: observer === undefined ? new Set() : await appearedLate(verdicts, observer, waitMs),
  }
}

/** The payments whose effects are there now, if the receiver is merely slow. */
async function appearedLate(
  verdicts: readonly Verdict[],
  observer: Observer<Effect | ShownHandling>,
  waitMs: number,
): Promise<Set<string>> {
  const missing = verdicts.filter(lacksEffects).flatMap(({ exchanges, effects }) =>
    exchanges.flatMap(({ delivery: { event, key: paymentId, role }, answer }) => {
      const paid = event === 'payment.completed' && answer?.status === 200 && paymentId !== undefined
      // The effects of a context were not looked for.
      return paid && role !== 'context' && (effects?.get(paymentId)?.length ?? 0) === 0 ? paymentId : []
    }),
  )
  const late = new Set<string>()
  if (missing.length > 0) await pauseAwake(Math.min(waitMs, MOST_WAIT_MS))
  const looked = [...new Set(missing)].slice(0, LOOKED_AT)
  await inChunks(looked, async (id) => {
    // An observation that fails explains nothing here; its case says why.
    const effects = await observer.effects(id).catch(() => [])
    if (effects.length > 0) late.add(id)
  })
  // A single one may have come with a redelivery; if the receiver is slow, nearly all come.
  return late.size >= looked.length * MOST ? late : new Set()
}
