import type { WireError } from '../exchange.ts'
import type { Target } from '../target.ts'
import { afterAwake, awakeNow } from '../time/awake.ts'
import { timedOut } from './errors.ts'

/** What is sent less than this after something else may be answered before it, in milliseconds. */
const TOGETHER_MS = 1_000
/** The longest wait for one response, in milliseconds, unless the time limit is longer. */
const MOST_MS = 120_000

/**
 * How long to wait for responses. A receiver may answer in turn: what waits behind others gets the time limit from the moment
 * at which the last of them was answered.
 */
export interface Patience {
  /** The time limit of a response, in milliseconds. */
  readonly limitMs: number
  /**
   * Waits for the response to what is sent now.
   *
   * @param giveUp called with the error when no response is to be expected any more
   * @returns ends the wait
   */
  readonly wait: (giveUp: (error: WireError) => void) => (how?: 'answered') => void
}

interface Waiting {
  readonly startedAt: number
  /** Since when nothing that was sent before has been answered. */
  since: number
}

/** What counts the time. Its types are written out, so that the published types do not need those of `awake.ts`. */
interface Clock {
  readonly now: () => number
  /** Calls a function after a time in milliseconds; returns what cancels that. */
  readonly after: (ms: number, call: () => void) => () => void
}

/** @param limitMs the time limit of a response, in milliseconds */
export function createPatience(
  limitMs: number,
  { now, after }: Clock = { now: awakeNow, after: afterAwake },
): Patience {
  const all = new Set<Waiting>()
  const mostMs = Math.max(limitMs, MOST_MS)
  return {
    limitMs,
    wait(giveUp) {
      const startedAt = now()
      const own: Waiting = { startedAt, since: startedAt }
      all.add(own)
      let cancel = after(limitMs, expire)
      function expire(): void {
        const time = now()
        const leftMs = Math.min(own.since + limitMs, startedAt + mostMs) - time
        if (leftMs >= 1) {
          cancel = after(leftMs, expire)
          return
        }
        all.delete(own)
        const isQueued = time - own.since < limitMs - 1
        const waitedMs = own.since === startedAt ? limitMs : Math.round(time - startedAt)
        giveUp({ ...timedOut(waitedMs), ...(isQueued && { isQueued }) })
      }
      return (how) => {
        cancel()
        if (!all.delete(own) || how !== 'answered') return
        const time = now()
        for (const other of all) if (other.startedAt >= startedAt - TOGETHER_MS) other.since = time
      }
    },
  }
}

const patiences = new WeakMap<Target, Patience>()

/** The patience with a receiver: all that is sent to the target shares it. */
export function patienceWith(target: Target): Patience {
  const patience = patiences.get(target) ?? createPatience(target.timeoutMs)
  patiences.set(target, patience)
  return patience
}
