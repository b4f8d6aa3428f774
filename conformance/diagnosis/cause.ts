import type { Verdict } from '../contracts/webhook/model.ts'
import type { Said } from './statement.ts'
import type { Symptoms } from './symptoms.ts'

/** A cause that what was observed supports, and the verdicts that it explains. */
export type Candidate = Said & {
  readonly explains: ReadonlySet<Verdict>
  /** Verdicts that follow from the cause, but give no evidence of it. */
  readonly also?: ReadonlySet<Verdict>
  /** Of what it explains, what gives evidence of it; everything if undefined. */
  readonly evidence?: ReadonlySet<Verdict>
  /** What was changed in the delivery that shows it, by verdict: the sentence names that of the verdict that a report shows. */
  readonly changes?: ReadonlyMap<Verdict, string | undefined>
  /** Set when it states what was observed, and guesses nothing: it then holds however few cases ran. */
  readonly observed?: boolean
  /** Set when the receiver ended or hangs: it explains whatever it can before any other cause does. */
  readonly first?: boolean
  /** Set when it is reported before causes that put more at risk, because those may follow from it. */
  readonly precedes?: boolean
  /** Verdicts that look alike, but that it does not explain: as many as it explains, and it is a coincidence. */
  readonly conflicts?: ReadonlySet<Verdict>
}

/** Recognizes causes: none unless both what failed and what passed fit. */
export type Recognize = (symptoms: Symptoms) => readonly Candidate[]
