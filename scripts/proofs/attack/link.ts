import { setTimeout as wait } from 'node:timers/promises'

/** The network between the attackers and the receiver: waits until the bytes would have left the attackers. */
export type Link = (bytes: number) => Promise<void>

/** 1 Gbit/s. */
const BYTES_PER_MS = 125_000
/** Less is not worth a timer, in milliseconds. */
const NEGLIGIBLE_MS = 2

/**
 * A link of limited bandwidth, which all attackers share. The loopback of one machine would carry more than any network, and
 * the copying alone would take the CPU time of the receiver. @param signal ends the attack
 */
export function createLink(signal: AbortSignal): Link {
  let freeAt = 0
  return async (bytes) => {
    const now = performance.now()
    freeAt = Math.max(freeAt, now) + bytes / BYTES_PER_MS
    if (freeAt - now > NEGLIGIBLE_MS) await wait(freeAt - now, undefined, { signal }).catch(() => {})
  }
}
