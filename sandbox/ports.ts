import type { Change } from './model.ts'

/** The sandbox's time, which a user can move on: of payments, their windows, events and retries. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: () => number
  /** Real time, for signatures: a receiver holds `t` against a clock that nobody moved. Interface 5.3 rule 4. */
  wall: () => number
}

/** Whether deliveries may go to an address, or a sentence that says why not. Interface 4.8 and 8. */
type TargetVerdict = { readonly ok: true } | { readonly ok: false; readonly refused: string }

/** Looks at an address when it is registered; it is looked at once more when a connection is made. */
export type CheckTarget = (url: string) => TargetVerdict

/** Sends what stands in the queue. */
export interface Deliverer {
  /** New deliveries may stand in the queue, or the clock was moved. */
  wake: () => void
  /** Aborts what is in flight to an endpoint that was deleted. Interface 4.4. */
  endpointDeleted: (endpointId: string) => void
  /** Aborts everything, and returns when nothing of it writes to the store any more: before a reset. */
  drop: () => Promise<void>
  /** Stops for good, and returns when nothing of it uses the store any more. */
  close: () => Promise<void>
}

/** Tells of changes to whoever shows them live. */
export interface Feed {
  publish: (change: Change) => void
  /** @returns ends the subscription */
  subscribe: (listener: (change: Change) => void) => () => void
}
