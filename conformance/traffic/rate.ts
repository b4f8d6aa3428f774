import { setTimeout as pause } from 'node:timers/promises'

/** Keeps a rate of deliveries. */
export interface Rate {
  /** Waits until so many deliveries may go out at the same time; by default one. */
  readonly take: (count?: number) => Promise<void>
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
