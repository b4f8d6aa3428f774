import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long the work of one turn of the event loop takes, in milliseconds. */
const TURN_MS = 5

/** The most items of one turn. */
const MOST_ITEMS = 100

/**
 * Does work in batches: the first at once, and each of the others when the event loop has done everything else.
 * @param carryOut runs a batch, in a transaction for example
 * @param work is called for each item
 * @param signal ends it after the current batch
 * @throws whatever `carryOut` or `work` throws; the batches before are done
 */
export async function inBatches<Item>(
  items: readonly Item[],
  carryOut: (batch: () => void) => void,
  work: (item: Item) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let next = 0; next < items.length && !signal.aborted; await nextTurn()) {
    carryOut(() => {
      const batch = items.slice(next, next + MOST_ITEMS)
      const until = performance.now() + TURN_MS
      let done = 0
      for (const item of batch) {
        work(item)
        done += 1
        if (performance.now() > until) break
      }
      next += done
    })
  }
}
