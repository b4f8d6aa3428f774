import { setTimeout as pause } from 'node:timers/promises'
import type { Target } from '../contracts/payment-service/target.ts'
import type { Observer } from '../engine/observe/observe.ts'
import type { Moment } from './moments.ts'
import { deliveriesOf, type Payment } from './payments.ts'
import { type Sent, send } from './send.ts'
import { shownEffect } from './shown-effect.ts'

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
  /** The 200 by which the moment was chosen; undefined when there were too few. */
  readonly triggeredAt: number | undefined
}

interface BurstOptions {
  readonly target: Target
  readonly moment: Moment
  readonly make: () => Payment
  /** Where effects show, for the moment that one does. */
  readonly observer: Observer
  /** The most payments, where each observation is costly. */
  readonly most?: number
  /** Kills the receiver before it returns. */
  readonly kill: () => void
  readonly sent: (sent: Sent) => void
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
  return { payments, killedAt: killedAt ?? performance.now(), triggeredAt }
}
