import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery } from '../../contracts/payment-service/delivery.ts'
import type { Kit } from '../../contracts/payment-service/kit.ts'
import type { Target } from '../../contracts/payment-service/target.ts'
import { withoutSecret } from '../../engine/process/environment.ts'
import { launch } from '../../engine/process/launch.ts'
import { takesConnections } from '../../engine/process/port.ts'
import { awakeNow } from '../../engine/time/awake.ts'
import type { Launching } from '../receiver.ts'
import { type Sent, send } from '../send.ts'

/** What a receiver did that was started without a signing secret (SPEC.md 5.9). */
export type WithoutSecret =
  | { readonly outcome: 'refused-to-start' | 'refused-all' | 'not-listening' }
  | { readonly outcome: 'accepted'; readonly sent: Sent }
  /** It has the secret from somewhere else, so the missing variable proves nothing. */
  | { readonly outcome: 'has-the-secret' }

/** How long it may take to listen or to end, as a multiple of a normal start, and in milliseconds at least. */
const STARTS = 4
const LEAST_MS = 2_000
/** A process that started the receiver in the background may have ended. */
const ENDED_FOR_MS = 300
/** What programs make of a secret that is not there, used as a key. */
const KEYS = ['', 'undefined', 'null', 'None', 'nil', 'NULL', 'false']

/** Starts the receiver with its secret empty or absent, sends deliveries that nobody has signed with it, and kills it. */
export async function tryWithoutSecret(
  how: 'empty' | 'absent',
  options: Launching,
  { target, kit, startMs }: { readonly target: Target; readonly kit: Kit; readonly startMs: number },
): Promise<WithoutSecret> {
  const env = withoutSecret(options.env, target.secret, how)
  const process = launch({ ...options, env })
  try {
    const deadline = awakeNow() + Math.max(startMs * STARTS, LEAST_MS)
    let endedAt: number | undefined
    while (!(await takesConnections(options.url))) {
      if (process.hasEnded()) endedAt ??= awakeNow()
      if (endedAt !== undefined && awakeNow() - endedAt > ENDED_FOR_MS) return { outcome: 'refused-to-start' }
      if (awakeNow() > deadline) return { outcome: 'not-listening' }
      await pause(10)
    }
    // Together, because a server may listen without ever answering.
    const control = send(kit.delivery('completed'), target)
    const all = await Promise.all(forged(kit).map((delivery) => send(delivery, target)))
    const accepted = all.find(({ status }) => status === 200)
    if (accepted !== undefined) return { outcome: 'accepted', sent: accepted }
    return { outcome: (await control).status === 200 ? 'has-the-secret' : 'refused-all' }
  } finally {
    process.killNow()
    await process.gone()
  }
}

function forged(kit: Kit): Delivery[] {
  const plain = kit.delivery('completed')
  return [
    { ...plain, signature: [], change: 'no signature header' },
    ...KEYS.map((secret) => ({
      ...kit.redelivery(kit.delivery('completed'), { secret }),
      change: secret === '' ? 'signed with an empty key' : `signed with the key "${secret}"`,
    })),
  ]
}
