import type { CaseId } from '../../conformance/catalogue/index.ts'
import type { Behaviour } from './behaviour.ts'
import type { Setting } from './receiver.ts'

/** One thing that a receiver does wrong, as people do it, and the cases that must find it. */
export interface Mutant {
  /** A function makes it anew for each receiver, where the mistake needs a memory of its own. */
  readonly does: Partial<Behaviour> | (() => Partial<Behaviour>)
  readonly fails: readonly [CaseId, ...CaseId[]]
  /**
   * Set when the mistake is a matter of moments: a race, a count over all that is sent, a short downtime. It is then
   * graded while nothing else runs, and which other cases fail with it is left to chance.
   */
  readonly timed?: true
}

/** A correct receiver that uses a freedom which the contract leaves. */
export interface Variant {
  readonly does: () => Partial<Behaviour>
  readonly setting?: Omit<Setting, 'behaviour'>
  /** The SHOULD cases that it departs from, and no other: advice, and no failure. */
  readonly warning?: readonly CaseId[]
}
