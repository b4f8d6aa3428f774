import { SandboxError } from '../errors.ts'
import type { Deliverer, Feed } from '../ports.ts'
import type { Store } from '../store/store.ts'
import type { MovableClock } from './clock.ts'
import type { PaymentService } from './payments.ts'

/** Ends the 24-hour windows of gift-card orders, in real time or when the clock is advanced. Interface 8. */
export interface Windows {
  /**
   * Advances the clock; each window that ends in between ends at its own time. All of it happens, or nothing.
   * @param ms milliseconds, a whole number, at least 0
   * @throws SandboxError
   */
  advance: (ms: number) => void
  /** Ends the windows that are due, and waits for the next one. */
  check: () => void
  /** Waits for the next window, which may have changed. */
  arm: () => void
  stop: () => void
}

/** The longest delay of a Node.js timer, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1

/** When to try again after the store could not be written. */
const RETRY_AFTER_MS = 1000

/** Creates the service that ends windows; `check` starts it. */
export function giftCardWindows(parts: {
  store: Store
  clock: MovableClock
  feed: Feed
  deliverer: Deliverer
  payments: PaymentService
  /** Receives the error when the store cannot be written; the service tries again. */
  onFailure: (error: unknown) => void
}): Windows {
  const { store, clock, feed, deliverer, payments, onFailure } = parts
  let timer: NodeJS.Timeout | undefined

  function arm(): void {
    clearTimeout(timer)
    const next = store.payments.nextWindowEnd()
    if (next === undefined) return
    timer = setTimeout(onTimer, Math.min(Math.max(next - clock.now(), 1), LONGEST_WAIT)).unref()
  }

  function onTimer(): void {
    try {
      check()
    } catch (error) {
      onFailure(error)
      timer = setTimeout(onTimer, RETRY_AFTER_MS).unref()
    }
  }

  function check(): void {
    for (const { id } of store.payments.windowsEnded(clock.now())) payments.act(id, { type: 'end_window' })
    arm()
  }

  function moveThrough(target: number): void {
    for (let next = store.payments.nextWindowEnd(); next !== undefined && next <= target; ) {
      clock.moveTo(next)
      check()
      next = store.payments.nextWindowEnd()
    }
    clock.moveTo(target)
    check()
  }

  return {
    check,
    arm,
    stop: () => clearTimeout(timer),
    advance: (ms) => {
      if (!Number.isSafeInteger(ms) || ms < 0) {
        throw new SandboxError(
          'clock_backwards',
          'the clock can only be advanced by a whole number of milliseconds, at least 0.',
        )
      }
      const target = clock.now() + ms
      clock.requireReachable(target)
      try {
        store.transaction(() => moveThrough(target))
      } catch (error) {
        // Nothing was written, so the clock is where it was.
        clock.reload()
        arm()
        throw error
      }
      store.afterCommit(() => {
        feed.publish({ kind: 'clock' })
        deliverer.wake()
      })
    },
  }
}
