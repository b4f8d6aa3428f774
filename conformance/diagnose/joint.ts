import type { Candidate } from './cause.ts'
import { BODY_HYPOTHESES } from './causes/body.ts'
import { CONTENT_HYPOTHESES } from './causes/content.ts'
import { DUPLICATE_HYPOTHESES } from './causes/duplicates.ts'
import { EVENT_HYPOTHESES } from './causes/events.ts'
import { HEADER_HYPOTHESES } from './causes/header.ts'
import { HISTORY_HYPOTHESES } from './causes/history.ts'
import { MONEY_HYPOTHESES } from './causes/money.ts'
import { NAME_HYPOTHESES } from './causes/names.ts'
import { SIGNATURE_HYPOTHESES } from './causes/signature.ts'
import { STORAGE_HYPOTHESES } from './causes/storage.ts'
import { WINDOW_HYPOTHESES } from './causes/window.ts'
import type { Evidence } from './evidence.ts'
import { type Fit, NO_FIT, proven } from './fit.ts'
import { canHandleBoth, fitHandling, type HandlingHypothesis } from './handling.ts'
import { acceptsSomething, areCompatible, fit, type Hypothesis } from './hypothesis.ts'

/** More mistakes than these are not looked for in one receiver: each takes one comparison of all hypotheses. */
const MOST_MISTAKES = 4
/** While the other mistakes are not known yet, so many observations must support a hypothesis for each that contradicts it. */
const SUPPORTS_EACH = 3

const VERIFYING: readonly Hypothesis[] = [
  ...SIGNATURE_HYPOTHESES,
  ...BODY_HYPOTHESES,
  ...HEADER_HYPOTHESES,
  ...WINDOW_HYPOTHESES,
  ...CONTENT_HYPOTHESES,
  ...EVENT_HYPOTHESES,
]
const HANDLING: readonly HandlingHypothesis[] = [
  ...STORAGE_HYPOTHESES,
  ...NAME_HYPOTHESES,
  ...MONEY_HYPOTHESES,
  ...DUPLICATE_HYPOTHESES,
  ...HISTORY_HYPOTHESES,
]

/**
 * Mistakes of one receiver that hide each other: each is compared with what a receiver does that makes the others. None is
 * named that a delivery disproves even so.
 */
export function jointCauses(evidence: Evidence): Candidate[] {
  return [
    ...(acceptsSomething(evidence) ? together(VERIFYING, areCompatible, fit, evidence) : []),
    ...together(HANDLING, canHandleBoth, fitHandling, evidence),
  ]
}

/**
 * Adds the hypothesis that explains most beside those which were added before, until none explains more, and then drops
 * each that is disproven beside the others.
 */
function together<H>(
  hypotheses: readonly H[],
  areCompatible: (one: H, other: H) => boolean,
  fit: (one: H, others: readonly H[], evidence: Evidence) => Fit,
  evidence: Evidence,
): Candidate[] {
  const gainOf = ({ candidate, supports, contradictions }: Fit) =>
    candidate === undefined ? 0 : supports - SUPPORTS_EACH * contradictions
  const best = (among: readonly H[], others: readonly H[]): H | undefined => {
    let most = 0
    let found: H | undefined
    for (const one of among) {
      if (!others.every((other) => areCompatible(one, other))) continue
      const gain = gainOf(fit(one, others, evidence))
      if (gain > most) [most, found] = [gain, one]
    }
    return found
  }
  // What explains nothing by itself does so beside no other mistake.
  const usable = hypotheses.filter((one) => fit(one, [], evidence).candidate !== undefined)
  let adopted: H[] = []
  while (adopted.length < MOST_MISTAKES) {
    const next = best(usable, adopted)
    if (next === undefined) break
    adopted.push(next)
  }
  // The first were chosen before the others were known.
  for (const one of [...adopted]) {
    const others = adopted.filter((other) => other !== one)
    const better = best(usable, others)
    adopted = better === undefined ? others : [...others, better]
  }
  for (;;) {
    const fits = adopted.map((one) => fit(one, adopted.filter((other) => other !== one), evidence))
    const kept = adopted.filter((_, index) => proven(fits[index] ?? NO_FIT) !== undefined)
    if (kept.length === adopted.length) return fits.flatMap((one) => proven(one) ?? [])
    adopted = kept
  }
}
