import type { Payment } from './payments.ts'
import type { Receiver } from './receiver.ts'
import type { Sent } from './send.ts'
import { settle } from './settle.ts'
import type { World } from './world.ts'

/** What is known before the first kill. */
export interface WarmUp {
  readonly startMs: number
  /** How long an effect took after its acknowledgment, in milliseconds. */
  readonly effectMs: number
  /** Whether the receiver stopped when it was asked to. */
  readonly stoppedByItself: boolean
  /** `unseen`: no effect before any restart. `forgotten`: gone after a graceful one. */
  readonly state: 'kept' | 'unseen' | 'forgotten'
  /** What happened, where the state was not kept. */
  readonly story: string
  /** The deliveries of the payment that the restart had to keep. */
  readonly sent: readonly Sent[]
  /** What happened, where a payment was handled again after the graceful restart. */
  readonly doubled?: string
}

/** A valid delivery is accepted and its effect observed; then again after a graceful restart. */
export async function warmUp(
  receiver: Receiver,
  world: Pick<World, 'observer' | 'recoverWithinMs' | 'signal' | 'onWaiting'>,
): Promise<WarmUp> {
  const { recoverWithinMs } = world
  const first = await receiver.start()
  const seen = await settle([first.probe], world)
  const effectMs = performance.now() - first.readyAt
  const id = first.probe.id
  const base = { startMs: first.tookMs, effectMs, stoppedByItself: true, sent: first.probe.sent }
  if (seen.wrong.size > 0) {
    const { observed } = [...seen.wrong.values()][0] ?? { observed: 'no effect' }
    const story = `the valid delivery of ${id} was acknowledged, but before any restart its payment showed ${observed} for ${(recoverWithinMs / 1000).toFixed(1)} s`
    return { ...base, state: 'unseen', story }
  }
  const stoppedByItself = await receiver.current().stop()
  const second = await receiver.start()
  const both: readonly Payment[] = [first.probe, second.probe]
  const after = await settle(both, world)
  const wrong = after.wrong.get(first.probe)
  const startMs = Math.max(first.tookMs, second.tookMs)
  const kept = { ...base, startMs, stoppedByItself, state: 'kept', story: '' } as const
  if (wrong === undefined) return kept
  const how = stoppedByItself
    ? 'a graceful restart (SIGTERM)'
    : 'a restart (SIGTERM, then SIGKILL after 10 s)'
  if (wrong.kind === 'doubled')
    return {
      ...kept,
      doubled: `${first.probe.id} was fulfilled before ${how}, and ${wrong.observed} after it, although nothing was delivered again`,
    }
  return {
    ...base,
    startMs,
    stoppedByItself,
    state: 'forgotten',
    story: `the receiver does not keep its state: ${id} was fulfilled before ${how}, and after it showed ${wrong.observed}, and nothing changed for ${(after.quietMs / 1000).toFixed(1)} s`,
  }
}
