import { setTimeout as pause } from 'node:timers/promises'
import { HarnessError } from '../engine/errors.ts'
import type { Observer } from '../engine/observe/observe.ts'
import { acknowledgmentOf, COMPLETED, type Payment } from './payments.ts'

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
  observer: Observer,
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
async function isShown({ id }: Payment, observer: Observer): Promise<boolean> {
  try {
    return (await observer.effects(id)).length > 0
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error
    return false
  }
}
