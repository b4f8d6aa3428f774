import type { WebhookError } from '../../verify.ts'
import { refusal } from '../refusals.ts'

/** The bytes of request bodies in memory. */
export interface HeldBytes {
  readonly bytes: number
  /** Counts received bytes. @throws WebhookError `overloaded` if complete bodies leave no room; they are then not counted. */
  readonly reserve: (bytes: number) => void
  readonly release: (bytes: number) => void
  /** A body starts to arrive. */
  readonly hold: (options: HoldOptions) => HeldBody
}

export interface HoldOptions {
  /** The address that sends the body. */
  address: () => string | undefined
  /** Called when the body must make room for others: drop what has arrived. Its bytes are already released. */
  evict: (reason: WebhookError) => void
}

/** The received part of one body. It can be evicted until it is complete. */
export interface HeldBody {
  /**
   * Counts received bytes.
   * @param last whether they complete the body
   * @throws WebhookError `overloaded` if complete bodies leave no room; the bytes are then not counted.
   */
  add(bytes: number, last: boolean): void
  /** The body has arrived and has this many bytes. From now on only `release` of `HeldBytes` or of this body removes it. */
  complete(bytes: number): void
  /** Releases all bytes of the body, if it was not evicted. */
  release(): void
}

interface Incomplete {
  bytes: number
  address: string | undefined
  /** Progress counts when this many bytes have arrived. */
  mark: number
  /** When the body started, or last reached its mark. */
  progressAt: number
  readonly evict: HoldOptions['evict']
}

/** A body that takes longer for `PROGRESS_BYTES` is slow, in milliseconds. */
const PROGRESS_MS = 1000
const PROGRESS_BYTES = 16 * 1024

/** When room is needed, this share of the limit is freed at once, so that a flood does not cause a search for each chunk. */
const FREED_AT_ONCE = 1 / 16

/**
 * Limits the bytes of request bodies in memory. When they exceed the limit, incomplete bodies are evicted, the least
 * promising first, so that a complete delivery is refused only if complete ones fill the room. SPEC.md 10.
 * @param now a monotonic clock, in milliseconds
 */
export function limitHeldBytes(maxBytes: number, now: () => number): HeldBytes {
  // A Set keeps insertion order, so the first is the oldest.
  const incomplete = new Set<Incomplete>()
  let held = 0

  const fits = (bytes: number): boolean => held + bytes <= maxBytes

  function evict(body: Incomplete): void {
    const reason = new Error(`${held} bytes of request bodies are in memory`)
    incomplete.delete(body)
    held -= body.bytes
    body.bytes = 0
    body.evict(refusal('body_evicted', reason))
  }

  /** @param newcomer the body that needs the room, if it is incomplete itself: it is evicted only if it must be. */
  function makeRoom(bytes: number, newcomer?: Incomplete): void {
    const spare = Math.floor(maxBytes * FREED_AT_ONCE)
    for (const isWorse of rankings(incomplete, now())) {
      for (const body of incomplete) {
        if (fits(bytes + spare)) return
        if (isWorse(body) && !(body === newcomer && fits(bytes))) evict(body)
      }
    }
  }

  function reserve(bytes: number): void {
    if (!fits(bytes)) makeRoom(bytes)
    if (!fits(bytes)) throw refusal('overloaded', new Error(`${held} bytes of request bodies are in memory`))
    held += bytes
  }

  return {
    get bytes() {
      return held
    },
    reserve,
    release(bytes) {
      held -= bytes
    },
    hold({ address, evict }) {
      const body: Incomplete = { bytes: 0, address: undefined, mark: 0, progressAt: 0, evict }
      let evicted = false

      function addIncomplete(bytes: number): void {
        if (body.mark === 0) {
          body.address = address()
          incomplete.add(body)
        }
        if (!fits(bytes)) makeRoom(bytes, body)
        evicted = !incomplete.has(body)
        if (evicted) return
        held += bytes
        body.bytes += bytes
        if (body.bytes < body.mark) return
        body.mark = body.bytes + PROGRESS_BYTES
        body.progressAt = now()
      }

      return {
        add(bytes, last) {
          if (evicted) return
          if (!last) return addIncomplete(bytes)
          incomplete.delete(body)
          reserve(bytes)
          body.bytes += bytes
        },
        complete(bytes) {
          if (evicted) return
          incomplete.delete(body)
          held += bytes - body.bytes
          body.bytes = bytes
        },
        release() {
          incomplete.delete(body)
          held -= body.bytes
          body.bytes = 0
        },
      }
    },
  }
}

/**
 * Who is evicted first: slow bodies, then those of addresses that hold more than the average address, then those larger
 * than the average body, then any; of each the oldest first.
 */
function* rankings(bodies: ReadonlySet<Incomplete>, at: number): Generator<(body: Incomplete) => boolean> {
  yield ({ progressAt }) => at - progressAt > PROGRESS_MS

  const perAddress = new Map<string | undefined, number>()
  let total = 0
  for (const { address, bytes } of bodies) {
    perAddress.set(address, (perAddress.get(address) ?? 0) + bytes)
    total += bytes
  }
  const share = total / perAddress.size
  const average = total / bodies.size
  yield (body) => {
    const bytes = perAddress.get(body.address) ?? 0
    if (bytes <= share) return false
    perAddress.set(body.address, bytes - body.bytes)
    return true
  }
  yield ({ bytes }) => bytes > average
  yield () => true
}
