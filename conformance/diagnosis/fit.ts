import type { Candidate } from './cause.ts'
import type { Symptoms } from './symptoms.ts'

/** How well a hypothesis fits what was observed, beside other mistakes of the receiver. */
export interface Fit {
  /** What it explains; undefined when it explains nothing. */
  readonly candidate: Candidate | undefined
  /** How many observations are wrong as it predicts, and would not be without it. */
  readonly supports: number
  /** How many observations it predicts wrongly, and would be right without it; counted only until it is outweighed. */
  readonly contradictions: number
}

/** While the other mistakes are not known yet, so many observations must support a hypothesis for each that contradicts it. */
const SUPPORTS_EACH = 3

/** By how much the supports of a hypothesis outweigh what contradicts it. */
export const gainOf = ({ supports, contradictions }: Pick<Fit, 'supports' | 'contradictions'>): number =>
  supports - SUPPORTS_EACH * contradictions

/** Whether so many contradictions decide, so that no more need to be counted. */
export type Enough = (supports: number, contradictions: number) => boolean

/** Whether a hypothesis will not be adopted. */
export const isOutweighed: Enough = (supports, contradictions) =>
  contradictions > 0 && gainOf({ supports, contradictions }) <= 0

/** Whether a hypothesis is wrong if it is the only mistake. */
export const isDisproven: Enough = (_, contradictions) => contradictions > 0

export const NO_FIT: Fit = { candidate: undefined, supports: 0, contradictions: 0 }

/** What a hypothesis explains, unless an observation contradicts it. */
export function proven({ candidate, contradictions }: Fit): Candidate | undefined {
  return contradictions === 0 ? candidate : undefined
}

/** Remembers a result of each hypothesis for as long as the symptoms exist: several causes ask for it. */
export function perRun<Key, Result>(
  of: (key: Key, symptoms: Symptoms) => Result,
): (key: Key, symptoms: Symptoms) => Result {
  const known = new WeakMap<Symptoms, Map<Key, { readonly result: Result }>>()
  return (key, symptoms) => {
    const ofEvidence = known.get(symptoms) ?? new Map<Key, { readonly result: Result }>()
    known.set(symptoms, ofEvidence)
    const entry = ofEvidence.get(key) ?? { result: of(key, symptoms) }
    ofEvidence.set(key, entry)
    return entry.result
  }
}
