import type { Delivery } from '../delivery.ts'
import { type Exchange, isAcknowledged } from '../exchange.ts'
import { elsewhereOf, type Target } from '../target.ts'
import { pauseAwake } from '../time/awake.ts'
import { createSender } from '../wire/sender.ts'
import { turnsAway } from './blocked.ts'

/** A limit of the usual window, a minute, is over by then, in milliseconds. */
export const RECOVERS_WITHIN_MS = 61_000

interface Recovering {
  readonly target: Target
  /** Makes a valid delivery about something new. */
  readonly plain: () => Delivery
  /** How long a receiver that turns everything away gets, in milliseconds. */
  readonly withinMs: number
}

/**
 * Sends a valid delivery after a pause to a receiver that has just turned one away, and, if it still does, one from another
 * address: a limit of one client would say nothing about the deliveries of others.
 *
 * @returns what was sent; the last one is from another address if this machine has one that reaches the receiver
 */
export async function afterPause({ target, plain, withinMs }: Recovering): Promise<readonly Exchange[]> {
  await pauseAwake(withinMs)
  // A connection may remember that it was turned away.
  const own = createSender(target, 1)
  const again = await own.send(plain()).finally(own.close)
  if (isAcknowledged(again)) return [again]
  const elsewhere = elsewhereOf(target, 'other')
  if (elsewhere === undefined) return [again]
  const other = createSender(target, 1, elsewhere)
  const fromElsewhere = await other.send(plain()).finally(other.close)
  return fromElsewhere.answer === undefined ? [again] : [again, { ...fromElsewhere, isFromElsewhere: true }]
}

/**
 * Whether a receiver turns everybody away for longer than any usual limit of a rate lasts.
 *
 * @param refused a valid delivery that was turned away, and those of `afterPause`
 */
export function isLockedOut(refused: readonly Exchange[]): boolean {
  const last = refused.at(-1)
  if (refused.length < 2 || last?.answer === undefined || refused.some((one) => isAcknowledged(one)))
    return false
  // One that limits the rate of a client answers so for as long as it likes.
  return last.isFromElsewhere === true || !turnsAway(last.answer)
}
