import { setTimeout as pause } from 'node:timers/promises'
import type { Notice } from './slow.ts'

/** Keeps a rate of deliveries. */
export interface Rate {
  /** Waits until so many deliveries may go out at the same time; by default one. */
  readonly take: (count?: number) => Promise<void>
}

/** Shorter runs need no announcement, in seconds. */
const LONG_SECONDS = 60

/** How long so many deliveries take at a rate; undefined if that is not long. */
export function noticeOfRate(perSecond: number, deliveries: number): Notice | undefined {
  const seconds = deliveries / perSecond
  if (seconds < LONG_SECONDS) return undefined
  return { code: 'rate_takes_long', perSecond, minutes: Math.round(seconds / 60) }
}

/**
 * Makes a rate that holds for every second of a run: deliveries that go out at the same time have the time of each of
 * them to themselves, before and after.
 *
 * @param perSecond the number of deliveries a second; undefined for no limit
 * @param clock the present time in milliseconds
 */
export function createRate(
  perSecond: number | undefined,
  clock: () => number = () => performance.now(),
  wait: (ms: number) => Promise<unknown> = pause,
): Rate {
  if (perSecond === undefined) return { take: async () => undefined }
  const gapMs = 1000 / perSecond
  let next = Number.NEGATIVE_INFINITY
  return {
    async take(count = 1) {
      const now = clock()
      const start = Math.max(now, next + (count - 1) * gapMs)
      next = start + count * gapMs
      if (start > now) await wait(start - now)
    },
  }
}
