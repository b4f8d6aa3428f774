import { inBatches, MOST_ITEMS } from '../batches.ts'
import type { Clock, Feed } from '../ports.ts'
import type { Store } from '../store/store.ts'

export type WaitingDeliveries = ReturnType<typeof waitingDeliveries>

/**
 * Changes the waiting deliveries of an endpoint: the first at once, as part of the caller's transaction, and the others
 * between other work. A later change of the same endpoint replaces an unfinished one. Killed in between, the sandbox
 * finishes at its next start, which first cancels those that were left.
 */
export function waitingDeliveries(parts: {
  store: Store
  clock: Clock
  feed: Pick<Feed, 'publish'>
  onFailure: (error: unknown) => void
}) {
  const { store, clock, feed, onFailure } = parts
  const { deliveries } = store
  const unfinished = new Map<string, AbortController>()

  /** @param some changes up to {@link MOST_ITEMS} deliveries, and returns their number */
  function change(id: string, some: () => number): void {
    unfinished.get(id)?.abort()
    unfinished.delete(id)
    if (some() < MOST_ITEMS) return
    const ending = new AbortController()
    unfinished.set(id, ending)
    const batch = (): boolean => {
      if (store.transaction(some) === MOST_ITEMS) return true
      unfinished.delete(id)
      feed.publish({ kind: 'endpoint', id })
      return false
    }
    void inBatches(batch, { signal: ending.signal, onFailure })
  }

  function cancel(id: string): void {
    change(id, () => {
      // The transaction of the caller may have failed.
      if (store.endpoints.get(id)?.deletedAt === null) return 0
      return deliveries.cancelOfEndpoint(id, clock.now(), MOST_ITEMS)
    })
  }

  for (const id of deliveries.endpointsToCancel()) cancel(id)
  return {
    /** Cancels those of a deleted endpoint. Interface 4.4. */
    cancel,
    /** Pauses those whose listener has stopped. */
    pause: (id: string) => change(id, () => deliveries.pauseOfEndpoint(id, MOST_ITEMS)),
    /** Makes those due whose listener is back. */
    resume: (id: string) => change(id, () => deliveries.resumeOfEndpoint(id, clock.now(), MOST_ITEMS)),
    stop: () => {
      for (const ending of unfinished.values()) ending.abort()
      unfinished.clear()
    },
  }
}
