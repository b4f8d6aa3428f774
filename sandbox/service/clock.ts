import type { Deliveries } from '../deliveries/index.ts'
import { SandboxError } from '../errors.ts'
import type { Feed } from '../ports.ts'
import type { Settings } from '../store/accounts.ts'
import type { Store } from '../store/store.ts'
import type { PaymentService } from './payments.ts'

export type MovableClock = ReturnType<typeof movableClock>

/** The latest time, in milliseconds: later years would have more than four digits. */
const LAST = Date.UTC(9999, 0, 1)

/**
 * Creates the sandbox's clock: real time plus the offset that the user added, which survives a restart.
 * @param wall real time in milliseconds
 */
export function movableClock(settings: Settings, wall: () => number) {
  const read = () => Number(settings.get('clock_offset_ms') ?? 0)
  let offset = read()
  const now = () => wall() + offset
  return {
    now,
    wall,
    offset: () => offset,
    /** Reads the offset again, after the store was emptied. */
    reload: () => void (offset = read()),
    /** Advances it to a time, in milliseconds since 1970; never back. @throws SandboxError if it is too late */
    moveTo: (time: number): void => {
      if (time > LAST) throw new SandboxError('clock_too_far', 'the clock cannot go past the year 9998.')
      const further = offset + Math.max(0, time - now())
      settings.set('clock_offset_ms', String(further))
      offset = further
    },
  }
}

/** The longest delay of a Node.js timer, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1
const RETRY_AFTER_MS = 1000

/** Ends the 24-hour windows of gift-card orders, in real time or when the clock is advanced (interface 8). `check` starts it. */
export function giftCardWindows(parts: {
  store: Store
  clock: MovableClock
  feed: Feed
  deliverer: Pick<Deliveries, 'wake'>
  payments: PaymentService
  onFailure: (error: unknown) => void
}) {
  const { store, clock, feed, deliverer, payments, onFailure } = parts
  let timer: NodeJS.Timeout | undefined

  /** Waits for the next window, which may have changed. */
  function arm(): void {
    clearTimeout(timer)
    const next = store.payments.nextWindow()?.endsAt
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

  /** Ends the windows that end until a time, each at its own, and then calls back. All of it happens, or nothing. */
  function endWindows(until: number, then = () => {}): void {
    try {
      store.transaction(() => {
        let next = store.payments.nextWindow()
        for (; next !== undefined && next.endsAt <= until; next = store.payments.nextWindow()) {
          clock.moveTo(next.endsAt)
          payments.act(next.id, { type: 'end_window' })
        }
        then()
      })
    } catch (error) {
      clock.reload()
      throw error
    }
    arm()
  }

  /** Ends the windows that are due, and waits for the next one. */
  const check = (): void => endWindows(clock.now())

  return {
    check,
    arm,
    stop: () => clearTimeout(timer),
    /**
     * Advances the clock; each window that ends in between ends at its own time. All of it happens at once, or nothing.
     * @param ms milliseconds, a whole number, at least 0
     * @throws SandboxError
     */
    advance: (ms: number): void => {
      if (!Number.isSafeInteger(ms) || ms < 0) {
        throw new SandboxError(
          'clock_backwards',
          'the clock can only be advanced by a whole number of milliseconds, at least 0.',
        )
      }
      const target = clock.now() + ms
      endWindows(target, () => {
        clock.moveTo(target)
        store.afterCommit(() => {
          feed.publish({ kind: 'clock' })
          deliverer.wake()
        })
      })
    },
  }
}
