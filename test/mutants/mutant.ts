import type { CaseId } from '../../conformance/contracts/payment-service/cases/index.ts'
import type { CauseCode } from '../../conformance/diagnosis/statement.ts'
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
  /** Set when a case waits for seconds until the mistake shows: `npm test` then runs it beside other mutants. */
  readonly slow?: true
  /** Set when its case judges the entire run: all cases run wherever others run their own alone. */
  readonly needsAll?: true
  /** Set when it depends on the generated data which other cases fail: its runs cannot be compared. */
  readonly dependsOnData?: true
  /** The cause that the report must name first. Without it the report must name none. */
  readonly cause?: CauseCode
  /** What else the report may name: mistakes that come with this one. It must name nothing beyond that. */
  readonly also?: readonly CauseCode[]
  /** The public report of a real receiver with this mistake. */
  readonly source?: string
  /** Set when the mistake does not show with a secret without a prefix. */
  readonly prefixed?: true
  /** The mode in which the mistake shows, if it does not show in both. */
  readonly mode?: 'test' | 'live'
  /** After what time it has to be delivered to again for the mistake to show, in milliseconds. */
  readonly redeliverAfterMs?: number
}

/** A correct receiver that uses a freedom of the contract. */
export interface Variant {
  readonly does: () => Partial<Behavior>
  readonly setting?: Omit<Setting, 'behavior'>
  /** The SHOULD cases that it does not follow: they give a warning, and no other case does. */
  readonly warning?: readonly CaseId[]
  /** The cases that cannot judge it, because it does not show enough. */
  readonly untested?: readonly CaseId[]
  /** Cases that this freedom could confuse: `npm test` runs them, and the proof runs the entire catalogue. */
  readonly related?: readonly CaseId[]
  /** Set when a run takes many seconds: `npm run proof` includes it, many of its kind at the same time; `npm test` does not. */
  readonly slow?: true
}
