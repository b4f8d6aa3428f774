import type { Evidence } from '../case.ts'
import { type Exchange, isAcknowledged } from '../exchange.ts'
import { createSemaphore } from '../pace/semaphore.ts'
import { awakeNow } from '../time/awake.ts'
import type { Observer } from './observe.ts'

/** The longest pause between two observations of a case, in milliseconds, while few keys are awaited. */
const LONGEST_GAP_MS = 250
/** How many changes of one key count as activity: a receiver that shows another list each time never rests. */
const MOST_CHANGES = 20
/** How often what is awaited may be absent, one time after another, before the receiver seems to have stopped. */
const ABSENT_OFTEN = 5
/** After a rest that an effect ended, another is given so many times as long, but not more than so many waiting times. */
const LONGER = { times: 3, mostTimes: 6 }
/** A receiver that seems to have stopped is waited for so many times shorter, until an effect changes. */
const STOPPED_SHARE = 5

/**
 * What the receiver shows, for all cases of a run. Only the whole run shows whether effects still arrive: a receiver may
 * work through a queue that other cases have filled, in any order.
 */
export interface Watch {
  /**
   * Observes keys, a few at a time.
   *
   * @throws EngineError `observation_failed`
   */
  readonly observe: (ids: Iterable<string>) => Promise<Evidence['effects']>
  /** Records responses: while they arrive, and while what they acknowledge is processed, the receiver is not at rest. */
  readonly answered: (exchanges: readonly Exchange[], isObserved: boolean) => void
  /**
   * Calls `look` until it returns true, or until nothing has changed anywhere in the run for the waiting time.
   *
   * @param keys how many keys `look` observes
   * @returns false when the receiver was at rest first, so that what is absent stays absent
   */
  readonly until: (look: () => Promise<boolean>, keys: number) => Promise<boolean>
  /**
   * Whether the receiver seems to work no longer: several times in turn nothing of what was awaited appeared, and no effect of
   * any key has changed since.
   */
  readonly hasStopped: () => boolean
  /** Whether any effect was seen. */
  readonly sawEffects: () => boolean
  /** The time that a receiver is given to process what it acknowledged, in milliseconds. */
  readonly waitMs: number
  /** How many keys may be observed at the end of a run. */
  readonly sample: number
}

/**
 * @param waitMs how long nothing may have changed before an effect counts as absent, in milliseconds
 * @param onWaiting called with the number of cases that have waited for `reportEveryMs`, and with 0 at the end
 */
export function createWatch(
  observer: Observer,
  waitMs: number,
  onWaiting: (cases: number) => void = () => undefined,
  reportEveryMs = 1_000,
): Watch {
  const semaphore = createSemaphore(observer.parallel)
  const changes = new Map<string, { effects: number; times: number }>()
  /** When a look at a key began that showed no change. */
  const lookedAt = new Map<string, number>()
  /** The longest rest that an effect ended, as far as it was seen, in milliseconds. */
  let longestRestMs = 0
  /** Acknowledged completions that no case observes, until their effect is seen. */
  const unobserved = new Set<string>()
  let movedAt = awakeNow()
  let sweptAt = Number.NEGATIVE_INFINITY
  let sweeping = false
  let waiting = 0
  let awaited = 0
  let reportedAt = Number.NEGATIVE_INFINITY
  let absent = 0

  const hasStopped = () => absent >= ABSENT_OFTEN
  const isAwaited = () => waiting > 0
  const moved = () => {
    movedAt = awakeNow()
  }
  /** Whether a look that began at `time` shows what stays: after a stall of this process, an older one does not. */
  const wasAtRest = (time: number) => {
    const atLeastMs = Math.min(LONGER.times * longestRestMs, LONGER.mostTimes * waitMs)
    const givenMs = Math.max(waitMs, atLeastMs)
    const restMs = hasStopped() ? givenMs / STOPPED_SHARE : givenMs
    return time - movedAt >= restMs && (unobserved.size === 0 || sweptAt - movedAt >= restMs)
  }

  async function effectsOf(id: string): Promise<readonly unknown[]> {
    await semaphore.take()
    try {
      const started = awakeNow()
      const effects = await observer.effects(id)
      const known = changes.get(id) ?? { effects: 0, times: 0 }
      if (effects.length !== known.effects && known.times < MOST_CHANGES) {
        changes.set(id, { effects: effects.length, times: known.times + 1 })
        absent = 0
        longestRestMs = Math.max(longestRestMs, (lookedAt.get(id) ?? 0) - movedAt)
        moved()
      }
      lookedAt.set(id, started)
      return effects
    } finally {
      semaphore.give()
    }
  }

  /** Looks at keys that no case observes, for as long as a case waits. */
  async function sweep(): Promise<void> {
    if (sweeping) return
    sweeping = true
    let turn = 0
    let gap = waitMs / 10
    do {
      await pause(gap, (timer) => timer.unref())
      const started = awakeNow()
      const ids = someOf([...unobserved], observer.sample, (turn += 1))
      const seen = await Promise.allSettled(ids.map((id) => effectsOf(id)))
      for (const [index, result] of seen.entries()) {
        // An observation that fails is reported by a case that needs it.
        if (result.status === 'fulfilled' && result.value.length > 0) unobserved.delete(ids[index] ?? '')
      }
      sweptAt = started
      gap = Math.max(waitMs / 10, 3 * (awakeNow() - started))
    } while (isAwaited())
    sweeping = false
  }

  function report(): void {
    const now = awakeNow()
    if (now - reportedAt < reportEveryMs) return
    reportedAt = now
    onWaiting(waiting)
  }

  return {
    waitMs,
    sample: observer.sample,
    hasStopped,
    sawEffects: () => changes.size > 0,
    async observe(ids) {
      const seen = new Map<string, readonly unknown[]>()
      await Promise.all([...ids].map(async (id) => seen.set(id, await effectsOf(id))))
      return (id) => seen.get(id) ?? []
    },
    answered(exchanges, isObserved) {
      moved()
      for (const exchange of exchanges) {
        const { isEffective, key, role } = exchange.delivery
        if (!isAcknowledged(exchange) || !isEffective || key === undefined) continue
        const isSeen = changes.has(key)
        if (!isSeen && (!isObserved || role === 'context')) unobserved.add(key)
      }
    },
    async until(look, keys) {
      waiting += 1
      awaited += keys
      const started = awakeNow()
      try {
        for (let gap = observer.intervalMs; ; gap *= 1.5) {
          const lookedAt = awakeNow()
          if (await look()) return true
          if (wasAtRest(lookedAt)) {
            absent += 1
            return false
          }
          void sweep()
          if (awakeNow() - started >= reportEveryMs) report()
          const longest = Math.max(LONGEST_GAP_MS, awaited * observer.intervalMs * 0.15)
          await pause(Math.min(gap, longest, Math.max(observer.intervalMs, waitMs / 4)))
        }
      } finally {
        waiting -= 1
        awaited -= keys
        if (waiting === 0 && reportedAt > started) onWaiting(0)
      }
    },
  }
}

/** The global timer, which tests replace together with the clock. */
function pause(ms: number, change: (timer: NodeJS.Timeout) => void = () => undefined): Promise<void> {
  return new Promise((resolve) => change(setTimeout(resolve, ms)))
}

/** At most `count` of the entries: the oldest, whose turn is next in a queue, and in each turn another part of the rest. */
function someOf(all: readonly string[], count: number, turn: number): string[] {
  if (all.length <= count) return [...all]
  const oldest = all.slice(0, count >> 1)
  const rest = all.slice(oldest.length)
  const from = (turn * oldest.length) % rest.length
  return [...oldest, ...[...rest, ...rest].slice(from, from + Math.min(oldest.length, rest.length))]
}
