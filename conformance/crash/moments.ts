import { randomFrom } from './random.ts'

/** When the receiver is killed. */
type MomentKind = 'first-byte' | 'on-effect' | 'after-acknowledgment' | 'before-effect' | 'during-start'

/** The moment of one kill, chosen by the seed. */
export interface Moment {
  readonly kind: MomentKind
  /** After how many acknowledgments of the round. */
  readonly acknowledgments: number
  /** How long after that acknowledgment, in milliseconds; for `on-effect` how long the effect is expected to take. */
  readonly delayMs: number
  /** For a second kill during the next start: after which part of the time that a start takes. */
  readonly ofStart: number
}

/** The kinds in turn: also a run of a few rounds has each of them. */
const KINDS: readonly MomentKind[] = [
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

function kindOf(round: number): MomentKind {
  return KINDS[round % KINDS.length] ?? 'first-byte'
}

/** The moment as a report names it. */
export function nameOf({ kind, delayMs, ofStart }: Moment): string {
  const after = `${delayMs.toFixed(delayMs < 10 ? 1 : 0)} ms after a 200`
  if (kind === 'first-byte') return 'on the first byte of a 200'
  if (kind === 'on-effect') return 'as soon as an effect showed'
  if (kind === 'after-acknowledgment') return after
  if (kind === 'before-effect') return `${after}, before its effect was due`
  return `on the first byte of a 200, and again ${Math.round(ofStart * 100)} % into the next start`
}
