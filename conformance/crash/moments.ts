import type { KillMoment } from '../report/words/crash.ts'
import { randomFrom } from './random.ts'

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
