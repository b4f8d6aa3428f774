import type { CaseId } from '../../conformance/catalogue/index.ts'
import type { Behavior } from './behavior.ts'
import type { Setting } from './receiver.ts'

/** One common mistake of a receiver, and the cases that must detect it. */
export interface Mutant {
  /** A function creates it for each receiver, if the mistake has state. */
  readonly does: Partial<Behavior> | (() => Partial<Behavior>)
  readonly fails: readonly [CaseId, ...CaseId[]]
  readonly setting?: Omit<Setting, 'behavior'>
  /**
   * Set when the mistake depends on timing: a race, a count of all deliveries, a short downtime. It is then graded while
   * nothing else runs, and which other cases fail with it is left to chance.
   */
  readonly timed?: true
}

/** A correct receiver that uses a freedom of the contract. */
export interface Variant {
  readonly does: () => Partial<Behavior>
  readonly setting?: Omit<Setting, 'behavior'>
  /** The SHOULD cases that it does not follow: they give a warning, and no other case does. */
  readonly warning?: readonly CaseId[]
  /** The cases that cannot judge it, because it does not show enough. */
  readonly untested?: readonly CaseId[]
}
