import type { Change } from '../model.ts'
import type { Feed } from '../ports.ts'

/**
 * Creates a feed of changes for any number of subscribers.
 * @param onFailure receives what a subscriber throws, which must affect neither the change nor other subscribers
 */
export function createFeed(onFailure: (error: unknown) => void): Feed {
  const listeners = new Set<{ hear: (change: Change) => void }>()
  return {
    publish: (change) => {
      for (const { hear } of listeners) {
        try {
          hear(change)
        } catch (error) {
          onFailure(error)
        }
      }
    },
    subscribe: (hear) => {
      const listener = { hear }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
