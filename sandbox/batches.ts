import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

const TURN_MS = 5
export const MOST_ITEMS = 100
/** When to try again after a batch failed, in milliseconds. */
const RETRY_AFTER_MS = 1000

/**
 * Does as much work as fits into one turn of the event loop.
 * @param next does one item; returns false if there is none
 * @returns whether there may be more
 */
export function oneBatch(next: () => boolean): boolean {
  const until = performance.now() + TURN_MS
  for (let done = 0; done < MOST_ITEMS && performance.now() < until; done += 1) {
    if (!next()) return false
  }
  return true
}

/**
 * Does the rest of some work in batches: each when the event loop has done everything else. It never rejects; a batch that
 * fails is tried again.
 * @param batch does one batch, in a transaction; returns whether there may be more
 * @param how signal: ends it after the current batch; onFailure: receives the error, when the store cannot be written for
 * example
 */
export async function inBatches(
  batch: () => boolean,
  { signal, onFailure }: { signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  for (await nextTurn(); !signal.aborted; await nextTurn()) {
    try {
      if (!batch()) return
    } catch (error) {
      onFailure(error)
      await wait(RETRY_AFTER_MS, undefined, { ref: false })
    }
  }
}
