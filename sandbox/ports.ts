import type { Change } from './model.ts'

/** The sandbox's time, which a user can advance. It applies to payments, their windows, events and retries. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: () => number
  /** Real time, for signatures: receivers compare `t` with their own clock. Interface 5.3 rule 4. */
  wall: () => number
}

/** Whether deliveries may go to a URL, or a sentence that explains why not. Interface 4.8 and 8. */
type TargetVerdict = { readonly ok: true } | { readonly ok: false; readonly refused: string }

/** Checks a URL at registration; the address is checked again when the connection is made. */
export type CheckTarget = (url: string) => TargetVerdict

/** Sends the queued deliveries. */
export interface Deliverer {
  /** Call it after queuing deliveries or advancing the clock. */
  wake: () => void
  /** Aborts deliveries in flight to a deleted endpoint. Interface 4.4. */
  endpointDeleted: (endpointId: string) => void
  /** Aborts everything before a reset; resolves when nothing uses the store. */
  drop: () => Promise<void>
  /** Stops permanently; resolves when nothing uses the store. */
  close: () => Promise<void>
}

/** Publishes changes to everything that shows them live. */
export interface Feed {
  publish: (change: Change) => void
  /** @returns a function that ends the subscription */
  subscribe: (listener: (change: Change) => void) => () => void
}

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
