import type { Context } from '../context.ts'
import type { Chaos } from '../deliveries/index.ts'
import { GIFT_CARD_WINDOW_MS } from '../domain/gift-cards.ts'

/** The clock first stops this long before the payment's window ends, so that earlier windows end at their own time. */
const JUST_BEFORE_MS = 1000

/** So many windows of other payments end in one transaction. */
const FEW = 100

/** Advances the clock by 24 hours, which ends the window of a payment. */
export interface Expiry {
  /**
   * Prepares a payment and ends its window: all of it, or nothing. If many other windows end too, they do so between other
   * work; then the payment is stored first, and only what can be refused changes nothing.
   * @param prepare makes the payment partly paid with gift cards, and returns its id
   * @throws whatever `prepare` throws; SandboxError if the clock cannot go there
   */
  <Prepared extends { id: string }>(prepare: () => Prepared, chaos: { chaos?: Chaos }): Promise<Prepared>
}

/** Creates the function that `hookproof trigger payment.expired` needs. */
export function expiryOf({ store, clock, payments, windows }: Context): Expiry {
  const windowEnd = (id: string, other: number): number => store.payments.get(id)?.windowEndsAt ?? other

  /** Ends the window explicitly and not by the clock, so that the event's deliveries get the requested chaos. */
  function end(id: string, at: number, chaos: { chaos?: Chaos }): void {
    clock.moveTo(at)
    if (store.payments.get(id)?.status === 'partial') payments.act(id, { type: 'end_window' }, chaos)
  }

  const until = (time: number): number => Math.max(0, time - clock.now())

  /** Runs a transaction. If it fails, nothing was written, so the clock is where it was. */
  function atOnce<Result>(work: () => Result): Result {
    try {
      return store.transaction(work)
    } catch (error) {
      clock.reload()
      windows.arm()
      throw error
    }
  }

  return async (prepare, chaos) => {
    const last = clock.now() + GIFT_CARD_WINDOW_MS
    if (store.payments.openWindows(last, FEW) < FEW) {
      return atOnce(() => {
        const made = prepare()
        const after = clock.now() + GIFT_CARD_WINDOW_MS
        const ends = windowEnd(made.id, after)
        windows.advance(until(ends - JUST_BEFORE_MS))
        end(made.id, ends, chaos)
        windows.advance(until(after))
        return made
      })
    }
    clock.requireReachable(last)
    const made = store.transaction(prepare)
    const ends = windowEnd(made.id, last)
    await windows.advanceInBatches(until(ends - JUST_BEFORE_MS))
    atOnce(() => end(made.id, ends, chaos))
    await windows.advanceInBatches(until(last))
    return made
  }
}
