/** Returns numbers from 0 to 1 that depend only on the seed, so that a run can be reproduced. */
export type Random = () => number

/** Mulberry32: small, fast, and good enough to choose what to send and when to kill. */
export function randomFrom(seed: string): Random {
  let state = 0x811c9dc5
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
