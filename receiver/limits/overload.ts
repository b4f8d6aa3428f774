import { createReceiver, type DeliveryStore, type Receive, type ReceiverOptions } from '../receive.ts'
import { requirePositiveIntegers } from '../shared/options.ts'
import { type HeldBytes, limitHeldBytes } from './body/held.ts'
import { refusal } from './refusals.ts'

/** The limits above which a receiver refuses deliveries instead of answering late or running out of memory. */
export interface OverloadLimits {
  /** How many deliveries may wait for the store at the same time. */
  maxWaiting?: number
  /** How many bytes of request bodies may be in memory at the same time, arriving or waiting for the store. */
  maxHeldBytes?: number
  /** How long a delivery may wait for the store before others are refused, in milliseconds. */
  maxStoreMs?: number
}

/** Tracks the load of a receiver. SPEC.md 6 and 10. */
export interface Overload {
  /** How many deliveries wait for the store. */
  readonly waiting: number
  readonly heldBytes: number
  /** @throws WebhookError `overloaded` if the store has fallen behind. */
  requireCapacity(): void
  /**
   * Counts received bytes. If they exceed the limit, bodies that are still arriving are evicted.
   * @throws WebhookError `overloaded` if that is not enough; the bytes are then not counted.
   */
  reserve(bytes: number): void
  release(bytes: number): void
  /** A body starts to arrive: counts its bytes, and evicts it if complete bodies need its room. */
  hold: HeldBytes['hold']
  /** A delivery starts to wait for the store. @throws WebhookError `overloaded` if the store has fallen behind. */
  enter(): Waiting
  /** The store has finished with the delivery, successfully or not. */
  leave(waiting: Waiting): void
}

/** A delivery that waits for the store. */
export interface Waiting {
  /** When the wait started, by the clock of the `Overload`, in milliseconds. */
  readonly since: number
}

/**
 * Limits the load of a receiver: it refuses deliveries above the limits immediately, and the sender retries.
 * @param now a monotonic clock, in milliseconds
 * @throws TypeError if a limit is not an integer of at least 1.
 */
export function createOverload(limits: OverloadLimits = {}, now = () => performance.now()): Overload {
  const { maxWaiting = 1000, maxHeldBytes = 64 * 1024 * 1024, maxStoreMs = 2000 } = limits
  requirePositiveIntegers({ maxWaiting, maxHeldBytes, maxStoreMs })
  // A Set keeps insertion order, so the first is the oldest.
  const waiting = new Set<Waiting>()
  const held = limitHeldBytes(maxHeldBytes, now)

  function requireCapacity(): void {
    if (waiting.size === 0) return
    if (waiting.size >= maxWaiting)
      throw refusal('overloaded', new Error(`${waiting.size} deliveries are waiting for the store`))
    const [oldest] = waiting
    const age = oldest === undefined ? 0 : now() - oldest.since
    if (age > maxStoreMs) {
      throw refusal('overloaded', new Error(`the store has not responded for ${Math.round(age)} ms`))
    }
  }

  return {
    get waiting() {
      return waiting.size
    },
    get heldBytes() {
      return held.bytes
    },
    requireCapacity,
    reserve: held.reserve,
    release: held.release,
    hold: held.hold,
    enter() {
      requireCapacity()
      const delivery = { since: now() }
      waiting.add(delivery)
      return delivery
    },
    leave(delivery) {
      waiting.delete(delivery)
    },
  }
}

/** Limits on the size, the time and the load of deliveries. */
export interface LimitOptions {
  /** The maximum size of a body, in bytes. Default: 1 MiB. */
  limitBytes?: number
  /** How long a body may take to arrive, in milliseconds. Default: 10 seconds. */
  bodyTimeoutMs?: number
  /** Limits the load; handlers that share it share its limits. */
  overload?: Overload
}

/** The limits of one handler. */
export interface Limits {
  readonly limitBytes: number
  readonly timeoutMs: number
  readonly overload: Overload
}

/** @throws TypeError if a number is not an integer of at least 1. */
export function limitsOf(options: LimitOptions): Limits {
  const { limitBytes = 1024 * 1024, bodyTimeoutMs = 10_000, overload = createOverload() } = options
  requirePositiveIntegers({ limitBytes, bodyTimeoutMs })
  return { limitBytes, timeoutMs: bodyTimeoutMs, overload }
}

/**
 * The core with a limit on the deliveries that wait for the store. It releases the bytes that were reserved for a body, so
 * reserve them before each call. SPEC.md 6 and 10.
 * @throws TypeError immediately if an option would accept or reject every delivery.
 */
export function limitedReceiver(options: ReceiverOptions, overload: Overload): Receive {
  const { inbox } = options
  // Anything else is left to createReceiver, which refuses it.
  const limited = typeof inbox?.accept === 'function' ? limitStore(inbox, overload) : inbox
  const receive = createReceiver({ ...options, inbox: limited })
  return async (delivery) => {
    try {
      return await receive(delivery)
    } finally {
      overload.release(delivery.body.length)
    }
  }
}

function limitStore(inbox: DeliveryStore, overload: Overload): DeliveryStore {
  return {
    async accept(delivery) {
      const waiting = overload.enter()
      try {
        return await inbox.accept(delivery)
      } finally {
        overload.leave(waiting)
      }
    },
  }
}
