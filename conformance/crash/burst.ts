import { setTimeout as pause } from 'node:timers/promises'
import type { Effect } from '../../schemas/types.ts'
import type { Target } from '../contracts/webhook/target.ts'
import { EngineError } from '../engine/errors.ts'
import type { Observer } from '../engine/observe/observe.ts'
import type { Moment } from './moments.ts'
import { acknowledgmentOf, COMPLETED, deliveriesOf, type Payment } from './payments.ts'
import { type Attempt, send } from './send.ts'

/** How many deliveries are in flight at the same time, and how many payments a round sends at most. */
const LANES = 6
const MOST_PAYMENTS = 60
const LONGEST_GAP_MS = 100
/** A receiver that answers too slowly is killed after this time, in milliseconds. */
const KILL_WITHIN_MS = 15_000

/** What a burst left. */
export interface Burst {
  readonly payments: readonly Payment[]
  readonly killedAt: number
}

interface BurstOptions {
  readonly target: Target
  readonly moment: Moment
  readonly make: () => Payment
  /** Where effects show, for the moment that one does. */
  readonly observer: Observer<Effect>
  /** The most payments, where each observation is costly. */
  readonly most?: number
  /** Kills the receiver before it returns. */
  readonly kill: () => void
  readonly sent: (sent: Attempt) => void
}

/** Sends unique payments, with duplicates and refunds among them, and kills the receiver at the moment of the round. */
export async function burst(options: BurstOptions): Promise<Burst> {
  const { target, moment, make, most = MOST_PAYMENTS, kill } = options
  const payments: Payment[] = []
  const gapMs = Math.min(moment.delayMs / 8, LONGEST_GAP_MS)
  let acknowledgments = 0
  let triggeredAt: number | undefined
  let killedAt: number | undefined
  let timer: NodeJS.Timeout | undefined
  let watching: Promise<void> | undefined

  function killOnce(): void {
    if (killedAt !== undefined) return
    kill()
    killedAt = performance.now()
  }
  function onFirstByte(): void {
    acknowledgments += 1
    if (acknowledgments !== Math.min(moment.acknowledgments, most)) return
    triggeredAt = performance.now()
    if (moment.kind === 'on-effect') {
      watching = shownEffect(payments, options.observer, isKilled).then(killOnce)
      // It is awaited after the lanes; until then its error must not end the process.
      watching.catch(() => undefined)
    } else if (moment.delayMs === 0) killOnce()
    else timer = setTimeout(killOnce, moment.delayMs)
  }
  const isKilled = () => killedAt !== undefined
  async function lane(): Promise<void> {
    while (!isKilled() && payments.length < most) {
      const payment = make()
      payments.push(payment)
      for (const delivery of deliveriesOf(payment)) {
        if (isKilled()) return
        const sent = await send(delivery, target, onFirstByte)
        payment.sent.push(sent)
        options.sent(sent)
        if (gapMs > 0 && !isKilled()) await pause(gapMs)
      }
    }
  }

  const deadline = setTimeout(killOnce, KILL_WITHIN_MS)
  await Promise.all(Array.from({ length: LANES }, lane))
  await watching
  // All were sent before the moment came, or there were too few acknowledgments.
  if (killedAt === undefined && timer !== undefined && triggeredAt !== undefined)
    await pause(Math.max(0, triggeredAt + moment.delayMs - performance.now()))
  clearTimeout(timer)
  clearTimeout(deadline)
  killOnce()
  return { payments, killedAt: killedAt ?? performance.now() }
}

/** The pause between two looks, in milliseconds; a look takes time of its own. */
const LOOK_EVERY_MS = 2
/** So many effects that are there at the first look mean that effects come with their acknowledgment, or soon after it. */
const MOST_AT_ONCE = 3

/**
 * Resolves as soon as the effect of an acknowledged payment shows: what the receiver writes only afterwards, such as the mark
 * that the delivery is done, is not written yet.
 *
 * @param payments those of the round; more are added meanwhile
 * @param isOver whether nobody waits any longer
 */
export async function shownEffect(
  payments: readonly Payment[],
  observer: Observer<Effect>,
  isOver: () => boolean,
): Promise<void> {
  const missed = new Set<Payment>()
  let awaited: Payment | undefined
  while (!isOver()) {
    // A refund that overtakes the effect prevents it.
    const next =
      awaited ??
      payments.find(
        (payment) =>
          payment.refund === undefined &&
          acknowledgmentOf(payment, COMPLETED) !== undefined &&
          !missed.has(payment),
      )
    if (next !== undefined && (await isShown(next, observer))) {
      missed.add(next)
      if (awaited !== undefined || missed.size >= MOST_AT_ONCE) return
    } else awaited = next
    await pause(LOOK_EVERY_MS)
  }
}

/** An observation that fails says nothing here: the kill may have come meanwhile. */
async function isShown({ id }: Payment, observer: Observer<Effect>): Promise<boolean> {
  try {
    return (await observer.effects(id)).length > 0
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return false
  }
}
