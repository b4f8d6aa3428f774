import type { Candidate } from './cause.ts'
import { bodyHypotheses } from './causes/body.ts'
import { CONTENT_HYPOTHESES } from './causes/content.ts'
import { DUPLICATE_HYPOTHESES } from './causes/duplicates.ts'
import { EVENT_HYPOTHESES } from './causes/events.ts'
import { headerHypotheses } from './causes/header.ts'
import { HISTORY_HYPOTHESES } from './causes/history.ts'
import { MONEY_HYPOTHESES, NAME_HYPOTHESES } from './causes/money.ts'
import { alsoUnsigned, signatureHypotheses, verifyingNothing } from './causes/signature.ts'
import { STORAGE_HYPOTHESES } from './causes/storage.ts'
import { windowHypotheses } from './causes/window.ts'
import { type Fit, gainOf, proven } from './fit.ts'
import { acceptsSomething, areCompatible, fit, fitAlone, type Hypothesis } from './hypothesis.ts'
import { canHandleBoth, fitHandling, fitHandlingAlone, type HandlingHypothesis } from './mishandling.ts'
import type { Symptoms } from './symptoms.ts'
import type { Terms } from './verifier.ts'

/** More mistakes than these are not looked for in one receiver: each takes one comparison of all hypotheses. */
const MOST_MISTAKES = 4
/** Only so many hypotheses are compared, those that explain most. */
const MOST_COMPARED = 40

/** The mistakes of verification that a receiver can make beside others. */
export const verifyingHypotheses = (terms: Terms): readonly Hypothesis[] => [
  ...signatureHypotheses(terms),
  ...bodyHypotheses(terms),
  ...headerHypotheses(terms),
  ...windowHypotheses(terms),
  ...CONTENT_HYPOTHESES,
  ...EVENT_HYPOTHESES,
]
/** The same for the handling of events. */
export const HANDLING_HYPOTHESES: readonly HandlingHypothesis[] = [
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
export function jointCauses(symptoms: Symptoms): Candidate[] {
  // What decides by itself leaves nothing to the other mistakes.
  const unverified = verifyingNothing(symptoms).filter(({ parts }) => parts !== undefined)
  const all = [...unverified, ...verifyingHypotheses(symptoms.service)]
  const verifying = { all, areCompatible, fit, fitAlone }
  const handling = {
    all: HANDLING_HYPOTHESES,
    areCompatible: canHandleBoth,
    fit: fitHandling,
    fitAlone: fitHandlingAlone,
  }
  const found = acceptsSomething(symptoms) ? together(verifying, symptoms) : []
  return [...found.map((cause) => alsoUnsigned(cause, symptoms)), ...together(handling, symptoms)]
}

/** Hypotheses of one kind, and how they are compared with what was observed. */
interface Kind<H> {
  readonly all: readonly H[]
  readonly areCompatible: (one: H, other: H) => boolean
  readonly fit: (one: H, others: readonly H[], symptoms: Symptoms) => Fit
  readonly fitAlone: (one: H, symptoms: Symptoms) => Fit
}

/**
 * Adds the hypothesis that explains most beside those which were added before, until none explains more, and then drops
 * each that is disproven beside the others.
 */
function together<H>({ all, areCompatible, fit, fitAlone }: Kind<H>, symptoms: Symptoms): Candidate[] {
  const supports = (one: H) => fitAlone(one, symptoms).supports
  // What explains nothing by itself does so beside no other mistake.
  const usable = all
    .filter((one) => supports(one) > 0)
    .toSorted((a, b) => supports(b) - supports(a))
    .slice(0, MOST_COMPARED)
  const best = (others: readonly H[]): H | undefined => {
    let most = 0
    let found: H | undefined
    for (const one of usable) {
      if (!others.every((other) => areCompatible(one, other))) continue
      const gain = gainOf(fit(one, others, symptoms))
      if (gain > most) [most, found] = [gain, one]
    }
    return found
  }
  let adopted: H[] = []
  while (adopted.length < MOST_MISTAKES) {
    const next = best(adopted)
    if (next === undefined) break
    adopted.push(next)
  }
  // The first were chosen before the others were known.
  for (const one of adopted) {
    const others = adopted.filter((other) => other !== one)
    const better = best(others)
    adopted = better === undefined ? others : [...others, better]
  }
  for (;;) {
    const beside = (one: H) =>
      fit(
        one,
        adopted.filter((other) => other !== one),
        symptoms,
      )
    const causes = adopted.flatMap((one) => proven(beside(one)) ?? [])
    if (causes.length === adopted.length) return causes
    adopted = adopted.filter((one) => proven(beside(one)) !== undefined)
  }
}
