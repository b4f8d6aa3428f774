import type { Change } from './model.ts'

/** The sandbox's time, which a user can advance. It applies to payments, their windows, events and retries. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: () => number
  /** Real time, for signatures: receivers compare `t` with their own clock. Interface 5.3 rule 4. */
  wall: () => number
}

/** Publishes changes to everything that shows them live. */
export type Feed = ReturnType<typeof createFeed>

/**
 * Creates a feed of changes for any number of subscribers.
 * @param onFailure receives what a subscriber throws, which must affect neither the change nor other subscribers
 */
export function createFeed(onFailure: (error: unknown) => void) {
  const listeners = new Set<{ hear: (change: Change) => void }>()
  return {
    publish: (change: Change): void => {
      for (const { hear } of listeners) {
        try {
          hear(change)
        } catch (error) {
          onFailure(error)
        }
      }
    },
    /** @returns a function that ends the subscription */
    subscribe: (hear: (change: Change) => void): (() => void) => {
      const listener = { hear }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
