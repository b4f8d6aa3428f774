import { refusal } from './errors.ts'
import { requireWhole } from './options.ts'

/** When a receiver sends deliveries away, rather than answer them late or run out of memory. */
export interface OverloadLimits {
  /** How many deliveries may wait for the store at once. */
  maxWaiting?: number
  /** How many bytes of bodies may be held at once: those on their way in, and those that wait for the store. */
  maxHeldBytes?: number
  /** How long, in milliseconds, the store may keep a delivery waiting before others are sent away. */
  maxStoreMs?: number
}

/** Counts what a receiver has taken on. SPEC.md 6 and 10. */
export interface Overload {
  /** How many deliveries wait for the store. */
  readonly waiting: number
  readonly heldBytes: number
  /** @throws WebhookError `overloaded` if the store has fallen behind. */
  requireRoom(): void
  /** Counts bytes that have come. @throws WebhookError `overloaded` if they are too many; they are then not counted. */
  hold(bytes: number): void
  release(bytes: number): void
  /** A delivery begins to wait for the store. @throws WebhookError `overloaded` if the store has fallen behind. */
  begin(): Waiting
  /** The store has answered, whatever it said. */
  end(waiting: Waiting): void
}

/** A delivery that waits for the store. */
export interface Waiting {
  /** By the clock of whoever counts, in milliseconds. */
  readonly since: number
}

/**
 * Keeps a receiver within its means: what is beyond them is refused at once, and the sender tries again.
 * @param now a clock that only goes forward, in milliseconds
 * @throws TypeError if a limit is no whole number above 0.
 */
export function createOverload(limits: OverloadLimits = {}, now = () => performance.now()): Overload {
  const { maxWaiting = 1000, maxHeldBytes = 64 * 1024 * 1024, maxStoreMs = 2000 } = limits
  requireWhole({ maxWaiting, maxHeldBytes, maxStoreMs })
  // A set keeps its order, so the first is the oldest.
  const waiting = new Set<Waiting>()
  let heldBytes = 0

  function requireRoom(): void {
    if (waiting.size === 0) return
    if (waiting.size >= maxWaiting)
      throw refusal('overloaded', new Error(`${waiting.size} wait for the store`))
    const [oldest] = waiting
    const age = oldest === undefined ? 0 : now() - oldest.since
    if (age > maxStoreMs) {
      throw refusal('overloaded', new Error(`the store has not answered for ${Math.round(age)} ms`))
    }
  }

  return {
    get waiting() {
      return waiting.size
    },
    get heldBytes() {
      return heldBytes
    },
    requireRoom,
    hold(bytes) {
      if (heldBytes + bytes > maxHeldBytes) {
        throw refusal('overloaded', new Error(`bodies of ${heldBytes} bytes are held`))
      }
      heldBytes += bytes
    },
    release(bytes) {
      heldBytes -= bytes
    },
    begin() {
      requireRoom()
      const one = { since: now() }
      waiting.add(one)
      return one
    },
    end(one) {
      waiting.delete(one)
    },
  }
}
