/** How many cases send at the same time, first and at most, to a receiver that is slow but answers in parallel. */
const HURRIED_FROM = 16
const HURRIED_TO = 128
/** With so many, a receiver answers everything in parallel: no case can disturb another. */
const UNDISTURBED_FROM = 64
/** An answer that takes so much longer than a single one has waited for others. */
const WAITED = 1.25
/** With less time than this left, an estimate helps nobody, in milliseconds. */
const LONG_MS = 60_000

/** How a receiver that was measured answers. */
export interface Measured {
  /** How long the answer to a single delivery took, in milliseconds. */
  readonly oneMs: number
  /** How long it took until the last of several deliveries at the same time was answered, in milliseconds. */
  readonly allMs: number
  /** How many those were. */
  readonly together: number
  readonly ackWithinMs: number
  readonly concurrency: number
  /** How many deliveries are left, about. */
  readonly left: number
}

/** What the user should know about the pace of a run. */
export type Notice =
  | { readonly code: 'rate_takes_long'; readonly perSecond: number; readonly minutes: number }
  | { readonly code: 'slow_in_parallel'; readonly answerMs: number }
  | { readonly code: 'slow_in_turn'; readonly eachMs: number; readonly minutes: number }
  | { readonly code: 'answers_nothing'; readonly withinMs: number }
  /** Every valid delivery gets this status. */
  | { readonly code: 'turned_away'; readonly status: number; readonly withinMs: number }

/** How many cases may send at the same time, and what the user should know. */
export interface Pace {
  readonly cases: number
  readonly notice?: Notice
  /** Set when more cases may be tried, as long as answers do not take longer. */
  readonly growth?: Growth
}

/** Finds out how many cases a slow receiver can take. */
export interface Growth {
  /** @returns how many cases may send at the same time after an answer that took so long, in milliseconds */
  readonly after: (ms: number) => number
  /** Whether no case can disturb another. */
  readonly isUndisturbed: () => boolean
}

/** Whether answers are so slow that it matters how many deliveries are in flight. */
export function isSlow(
  ms: number,
  { ackWithinMs, concurrency }: Pick<Measured, 'ackWithinMs' | 'concurrency'>,
): boolean {
  return ms * concurrency > ackWithinMs
}

/**
 * Decides how to go on with a slow receiver. One that answers in parallel gets more deliveries at the same time, once its
 * answers are beyond the limit anyway. One that answers in turn gets fewer, so that none has to wait for the others.
 *
 * @returns undefined to change nothing
 */
export function paceOf(measured: Measured): Pace | undefined {
  const { oneMs, allMs, together, ackWithinMs, concurrency, left } = measured
  const isParallel = allMs < 2 * oneMs
  if (isParallel) {
    if (allMs <= ackWithinMs) return undefined
    const notice = { code: 'slow_in_parallel', answerMs: allMs } as const
    return { cases: HURRIED_FROM, notice, growth: createGrowth(allMs) }
  }
  const eachMs = allMs / together
  // Half of the limit, because a case may send several deliveries at once.
  const cases = Math.min(concurrency, Math.max(1, Math.floor(ackWithinMs / 2 / eachMs)))
  const leftMs = left * eachMs
  if (cases === concurrency) return undefined
  if (leftMs < LONG_MS) return { cases }
  const notice = { code: 'slow_in_turn', eachMs, minutes: Math.ceil(leftMs / 60_000) } as const
  return { cases, notice }
}

function createGrowth(singleMs: number): Growth {
  let cases = HURRIED_FROM
  let isGrowing = true
  let inTime = 0
  return {
    after(ms) {
      if (!isGrowing) return cases
      if (ms > singleMs * WAITED) {
        isGrowing = false
        cases /= 2
      } else {
        inTime += 1
        if (inTime >= cases && cases < HURRIED_TO) {
          cases *= 2
          inTime = 0
        }
      }
      return cases
    },
    isUndisturbed: () => isGrowing && cases >= UNDISTURBED_FROM,
  }
}
