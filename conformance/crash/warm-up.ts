import type { CrashFinding } from '../contracts/webhook/crash-finding.ts'
import type { Receiver, World } from './receiver.ts'
import type { Attempt } from './send.ts'
import { settle } from './settle.ts'

/** What is known before the first kill. */
export interface WarmUp {
  readonly startMs: number
  /** How long an effect took after its acknowledgment, in milliseconds. */
  readonly effectMs: number
  /** No effect before any restart, or one that was gone or came again after a graceful one. */
  readonly wrong?: Extract<CrashFinding, { code: 'unseen' | 'forgotten' | 'doubled-by-restart' }>
  /** The deliveries of the payment that the restart had to keep. */
  readonly sent: readonly Attempt[]
}

/** A valid delivery is accepted and its effect observed; then again after a graceful restart. */
export async function warmUp(
  receiver: Receiver,
  world: Pick<World, 'observer' | 'recoverWithinMs' | 'signal' | 'onWaiting'>,
): Promise<WarmUp> {
  const first = await receiver.start()
  const seen = await settle([first.probe], world)
  const effectMs = performance.now() - first.readyAt
  const { id: payment, sent } = first.probe
  const unseen = seen.wrong.get(first.probe)
  if (unseen !== undefined) {
    const wrong = {
      code: 'unseen',
      payment,
      effects: unseen.observed,
      waitMs: world.recoverWithinMs,
    } as const
    return { startMs: first.tookMs, effectMs, sent, wrong }
  }
  const stoppedByItself = await receiver.current().stop()
  const second = await receiver.start()
  const after = await settle([first.probe, second.probe], world)
  const startMs = Math.max(first.tookMs, second.tookMs)
  const found = after.wrong.get(first.probe)
  if (found === undefined) return { startMs, effectMs, sent }
  const about = { payment, stoppedByItself, effects: found.observed }
  const wrong =
    found.kind === 'doubled'
      ? ({ code: 'doubled-by-restart', ...about } as const)
      : ({ code: 'forgotten', ...about, quietMs: after.quietMs } as const)
  return { startMs, effectMs, sent, wrong }
}
