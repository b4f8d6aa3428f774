import type { KillMoment } from '../contracts/webhook/crash-finding.ts'

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

/** The moment of one kill, chosen by the seed. */
export interface Moment extends KillMoment {
  /** After how many acknowledgments of the round. */
  readonly acknowledgments: number
}

/** The kinds in turn: also a run of a few rounds has each of them. */
const KINDS: readonly KillMoment['kind'][] = [
  'first-byte',
  'on-effect',
  'after-acknowledgment',
  'before-effect',
  'during-start',
]
const LONGEST_DELAY_MS = 1_000
/** Work that takes longer is interrupted somewhere in its first part. */
const LONGEST_WORK_MS = 1_500
const MOST_ACKNOWLEDGMENTS = 10

/**
 * Chooses when each round kills the receiver: the same seed gives the same moments.
 *
 * @param effectMs how long an effect takes after its acknowledgment, in milliseconds
 */
export function momentsOf(seed: string, rounds: number, effectMs: number): Moment[] {
  const random = randomFrom(`${seed}/moments`)
  const delayed = Array.from({ length: rounds }, (_, round) => kindOf(round)).filter(
    (kind) => kind === 'after-acknowledgment',
  ).length
  let nth = 0
  return Array.from({ length: rounds }, (_, round) => {
    const kind = kindOf(round)
    const acknowledgments = 2 + Math.floor(random() * (MOST_ACKNOWLEDGMENTS - 1))
    const part = random()
    const ofStart = random()
    let delayMs = 0
    if (kind === 'after-acknowledgment') {
      // Spread evenly over the orders of magnitude from 1 to 1,000 ms.
      delayMs = LONGEST_DELAY_MS ** ((nth + part) / delayed)
      nth += 1
    }
    const workMs = Math.min(Math.max(effectMs, 2), LONGEST_WORK_MS)
    if (kind === 'before-effect') delayMs = part * workMs
    if (kind === 'on-effect') delayMs = workMs
    return { kind, acknowledgments, delayMs, ofStart }
  })
}

function kindOf(round: number): KillMoment['kind'] {
  return KINDS[round % KINDS.length] ?? 'first-byte'
}
