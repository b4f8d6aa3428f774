import { inBatches, oneBatch } from '../batches.ts'
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
  /** @throws SandboxError if the clock cannot be advanced to a time */
  function requireReachable(time: number): void {
    if (time > LAST) throw new SandboxError('clock_too_far', 'the clock cannot go past the year 9998.')
  }
  return {
    now,
    wall,
    offset: () => offset,
    /** Reads the offset again, after the store was emptied. */
    reload: () => void (offset = read()),
    requireReachable,
    /** Advances it to a time, in milliseconds since 1970; never back. @throws SandboxError if it is too late */
    moveTo: (time: number): void => {
      requireReachable(time)
      const further = offset + Math.max(0, time - now())
      settings.set('clock_offset_ms', String(further))
      offset = further
    },
  }
}

/** The longest delay of a Node.js timer, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1
const RETRY_AFTER_MS = 1000

/**
 * Ends the 24-hour windows of gift-card orders, in real time or when the clock is advanced (interface 8). `check` starts it,
 * and goes on with what a killed sandbox left.
 */
export function giftCardWindows(parts: {
  store: Store
  clock: MovableClock
  feed: Feed
  deliverer: Pick<Deliveries, 'wake'>
  payments: PaymentService
  onFailure: (error: unknown) => void
}) {
  const { store, clock, feed, deliverer, payments, onFailure } = parts
  const { settings } = store
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let waiting: { resolve: () => void; reject: (reason: unknown) => void }[] = []

  /** Waits for the next window, which may have changed. */
  function arm(): void {
    clearTimeout(timer)
    if (isRunning) return
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

  /** How far ahead of real time the clock is to be. */
  const goal = (): number => Number(settings.get('clock_goal_ms') ?? clock.offset())

  /** Ends the window that ends first, at its own time. @returns false if none ends by a time */
  function endNext(until: number): boolean {
    const next = store.payments.nextWindow()
    if (next === undefined || next.endsAt > until) return false
    clock.moveTo(next.endsAt)
    payments.act(next.id, { type: 'end_window' })
    return true
  }

  function arrive(target: number): void {
    clock.moveTo(target)
    settings.delete('clock_goal_ms')
    store.afterCommit(() => {
      feed.publish({ kind: 'clock' })
      deliverer.wake()
    })
  }

  /** Ends some of the windows that are due. @returns whether there may be more */
  function someWindows(): boolean {
    const target = clock.wall() + goal()
    if (oneBatch(() => endNext(target))) return true
    if (settings.get('clock_goal_ms') !== undefined) arrive(target)
    return false
  }

  /** Runs a part of a move. If it fails, nothing was written, so the clock is where it was. */
  function carriedOut<Result>(part: () => Result): Result {
    try {
      return store.transaction(part)
    } catch (error) {
      clock.reload()
      arm()
      throw error
    }
  }

  async function goOn(): Promise<void> {
    if (isRunning) return
    isRunning = true
    clearTimeout(timer)
    await inBatches(() => carriedOut(someWindows), {
      signal: stopping.signal,
      onFailure: (error) => {
        if (waiting.length === 0) onFailure(error)
        for (const { reject } of waiting.splice(0)) reject(error)
      },
    })
    isRunning = false
    for (const { resolve } of waiting.splice(0)) resolve()
    if (!stopping.signal.aborted) arm()
  }

  /** Ends the windows that are due, and waits for the next one. */
  function check(): void {
    if (isRunning) return
    if (carriedOut(someWindows)) void goOn()
    else arm()
  }

  /** @returns how far ahead of real time the clock is then */
  function checkedGoal(ms: number): number {
    if (!Number.isSafeInteger(ms) || ms < 0) {
      throw new SandboxError(
        'clock_backwards',
        'the clock can only be advanced by a whole number of milliseconds, at least 0.',
      )
    }
    const next = goal() + ms
    clock.requireReachable(clock.wall() + next)
    return next
  }

  return {
    check,
    arm,
    stop: () => {
      stopping.abort()
      clearTimeout(timer)
    },
    /**
     * Advances the clock; each window that ends in between ends at its own time. All of it happens at once, or nothing.
     * @param ms milliseconds, a whole number, at least 0
     * @throws SandboxError
     */
    advance: (ms: number): void => {
      const target = clock.wall() + checkedGoal(ms)
      carriedOut(() => {
        while (endNext(target));
        arrive(target)
      })
      arm()
    },
    /**
     * The same between other work. Killed in between, the clock goes on at the next start.
     * @returns a promise that resolves when the clock has arrived, and rejects when the store cannot be written; the clock
     * then goes on later
     * @throws SandboxError, in the promise; nothing has changed then
     */
    advanceInBatches: async (ms: number): Promise<void> => {
      const next = checkedGoal(ms)
      const isMore = carriedOut(() => {
        settings.set('clock_goal_ms', String(next))
        return someWindows()
      })
      if (!isMore) return arm()
      const arrived = new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }))
      void goOn()
      await arrived
    },
  }
}
