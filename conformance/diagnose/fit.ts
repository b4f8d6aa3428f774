import type { Candidate } from './cause.ts'

/** How well a hypothesis fits what was observed, beside other mistakes of the receiver. */
export interface Fit {
  /** What it explains; undefined when it explains nothing. */
  readonly candidate: Candidate | undefined
  /** How many observations are wrong as it predicts, and would not be without it. */
  readonly supports: number
  /** How many observations it predicts wrongly, and would be predicted rightly without it. */
  readonly contradictions: number
}

export const NO_FIT: Fit = { candidate: undefined, supports: 0, contradictions: 0 }

/** What a hypothesis explains, unless an observation contradicts it. */
export function proven({ candidate, contradictions }: Fit): Candidate | undefined {
  return contradictions === 0 ? candidate : undefined
}
