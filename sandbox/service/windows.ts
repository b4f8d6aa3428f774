import { SandboxError } from '../errors.ts'
import type { Deliverer, Feed } from '../ports.ts'
import type { Store } from '../store/store.ts'
import type { MovableClock } from './clock.ts'
import type { PaymentService } from './payments.ts'

/** Ends the windows of gift-card orders, by themselves or when the clock is moved on. Interface 8. */
export interface Windows {
  /**
   * Moves the clock on; what becomes due on the way happens at its own time.
   * @param ms milliseconds, a whole number from 0
   * @throws SandboxError
   */
  advance: (ms: number) => void
  /** Ends what is due now, and waits for the next. */
  check: () => void
  /** Waits for the next, which may be another than before. */
  arm: () => void
  stop: () => void
}

/** The longest that a timer of Node can wait, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1

/** When the store could not be written. */
const AGAIN_AFTER_MS = 1000

/** Makes the keeper of windows; `check` starts it. */
export function giftCardWindows(parts: {
  store: Store
  clock: MovableClock
  feed: Feed
  deliverer: Deliverer
  payments: PaymentService
  /** Told when the store can not be written; it is tried again. */
  onFailure: (error: unknown) => void
}): Windows {
  const { store, clock, feed, deliverer, payments, onFailure } = parts
  let timer: NodeJS.Timeout | undefined

  function arm(): void {
    clearTimeout(timer)
    const next = store.payments.nextWindowEnd()
    if (next === undefined) return
    timer = setTimeout(inTime, Math.min(Math.max(next - clock.now(), 1), LONGEST_WAIT)).unref()
  }

  function inTime(): void {
    try {
      check()
    } catch (error) {
      onFailure(error)
      timer = setTimeout(inTime, AGAIN_AFTER_MS).unref()
    }
  }

  function check(): void {
    for (const { id } of store.payments.windowsEnded(clock.now())) payments.act(id, { type: 'end_window' })
    arm()
  }

  return {
    check,
    arm,
    stop: () => clearTimeout(timer),
    advance: (ms) => {
      if (!Number.isSafeInteger(ms) || ms < 0) {
        throw new SandboxError(
          'clock_backwards',
          'the clock moves by a whole number of milliseconds, from 0.',
        )
      }
      const target = clock.now() + ms
      for (let next = store.payments.nextWindowEnd(); next !== undefined && next <= target; ) {
        clock.moveTo(next)
        check()
        next = store.payments.nextWindowEnd()
      }
      clock.moveTo(target)
      check()
      feed.publish({ kind: 'clock' })
      deliverer.wake()
    },
  }
}
