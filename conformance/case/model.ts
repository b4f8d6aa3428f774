import type { Effect } from '../../schemas/types.ts'
import type { CONTRACT } from '../generated/contract.ts'
import type { Delivery, HeaderLine } from './delivery.ts'
import type { Kit, Mode } from './kit.ts'
import type { Plan } from './plan.ts'

type Requirement = (typeof CONTRACT)[number]

/** A requirement of SPEC.md, word for word. A quote that is not there does not compile. */
type Sentence = Requirement['sentence']

/** How binding a requirement is: taken from the keyword in its sentence, so the two can not disagree. */
export type Level = Requirement['level']

/** What a run grades: `core` needs HTTP answers only, `full` also the effects that the receiver shows. */
export type Profile = 'core' | 'full'

export type { Mode } from './kit.ts'

/** What a failure puts at risk; reports list them in this order. */
export const SEVERITIES = ['security', 'money', 'protocol'] as const
export type Severity = (typeof SEVERITIES)[number]

/** One test of one requirement: what the contract expected, what is sent, what must come back. */
export interface Case {
  /** The requirement, quoted from SPEC.md. */
  readonly spec: Sentence
  /** Set when the answers alone can not decide the case. */
  readonly needs?: 'effects'
  /** Set when the case makes sense in one mode only: the other leaves it out. */
  readonly mode?: Mode
  /** Set when the case would disturb others: it then runs after them, by itself. */
  readonly alone?: true
  /** The deliveries, in the order in which they go out. */
  readonly send: (kit: Kit) => Plan
  /** What must hold afterwards. That every control is accepted goes without saying. */
  readonly expect: readonly Expectation[]
  /** Why more than one answer is right, where the contract leaves that open. */
  readonly open?: string
  /** What a receiver that fails this does to the merchant. */
  readonly impact: string
  /** How to mend it. */
  readonly fix: string
}

/** A case with its place in the catalogue. */
export interface CatalogueCase extends Case {
  readonly id: string
  readonly section: string
  readonly title: string
  readonly number: string
  readonly level: Level
}

/** The cases of one section of SPEC.md. */
export interface Section<Id extends string = string, Name extends string = string> {
  readonly id: Id
  readonly title: string
  readonly cases: Readonly<Record<Name, Case>>
}

/** What a receiver answered. */
export interface Answer {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  /** At most 64 KiB are kept; `truncated` says that there was more. */
  readonly body: Buffer
  readonly truncated: boolean
  /** Milliseconds from the first byte sent to the head of the answer. */
  readonly ms: number
}

/** Why there is no answer. */
export interface WireError {
  readonly code: 'refused' | 'reset' | 'timeout' | 'dns' | 'tls' | 'unreachable' | 'garbled' | 'local'
  readonly message: string
}

/** A delivery and what came of it. */
export interface Exchange {
  readonly delivery: Delivery
  readonly answer: Answer | undefined
  readonly error: WireError | undefined
  /** Set on a delivery that is not meant to be answered, such as one that stops in the middle. */
  readonly unanswered?: true
}

/** All that a case has to judge by. */
export interface Evidence {
  readonly exchanges: readonly Exchange[]
  /** What the receiver shows for a payment, oldest first. Empty unless the case needs effects. */
  readonly effects: (paymentId: string) => readonly Effect[]
  readonly secrets: readonly string[]
  readonly ackWithinMs: number
}

/** What an expectation found: nothing wrong, a problem, or that it can not tell. */
export type Finding =
  | undefined
  | { readonly problem: string; readonly severity: Severity; readonly guidance?: Guidance }
  | { readonly untested: string }

/** What a problem means and how to mend it, where that is less than the worst that its case tells of. */
export interface Guidance {
  readonly impact: string
  readonly fix: string
}

/** A named statement about the evidence. */
export interface Expectation {
  /** The statement, as reports show it. */
  readonly expected: string
  readonly check: (evidence: Evidence) => Finding
}

export interface Problem {
  readonly expected: string
  readonly received: string
  readonly severity: Severity
  readonly guidance?: Guidance | undefined
}

/** `warning` is a SHOULD or MAY that was not met: told, but no bar to conformance. */
export type Outcome = 'passed' | 'failed' | 'warning' | 'untested'

/** The judgement on one case. */
export interface Verdict {
  readonly case: CatalogueCase
  readonly outcome: Outcome
  readonly problems: readonly Problem[]
  /** Why the case is untested. */
  readonly reason: string | undefined
  readonly exchanges: readonly Exchange[]
  readonly durationMs: number
}

/** The judgement on the receiver, for the profile that was tested and no more. */
export type Conclusion = 'conformant' | 'not-conformant' | 'incomplete'
