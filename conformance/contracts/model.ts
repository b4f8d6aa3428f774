import type { Effect, ReportExcluded } from '../../schemas/types.ts'
import type { Case, Evaluation, Evidence, Untested } from '../engine/case.ts'
import type { Delivery } from '../engine/delivery.ts'
import type { Exchange } from '../engine/exchange.ts'

/** How binding a requirement is. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

/** What a failure puts at risk, most severe first. */
export const SEVERITIES = ['security', 'money', 'protocol'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Makes a union of objects with a code and data from a table. */
export type Coded<Data> = {
  readonly [Code in keyof Data]: { readonly code: Code } & Readonly<Data[Code]>
}[keyof Data]

/** What a verdict is about. */
export interface JudgedCase extends Case {
  readonly level: Level
}

/** The types in which services differ. Each contract states its own. */
export interface Service {
  readonly delivery: Delivery
  readonly evidence: Evidence
  /** What an expectation states, what is wrong, and why it could not be tested, each as a code with data. */
  readonly expected: { readonly code: string }
  readonly wrong: { readonly code: string }
  readonly open: { readonly code: string }
  /** What was observed instead of what was expected; each has its own impact and fix. */
  readonly observation: string
}

/** What a problem means for the merchant, and how to fix it. */
export interface Guidance<Observation extends string = string> {
  /** One sentence: the harm. */
  readonly impact: string
  /** What to change in the receiver. */
  readonly fix: string
  /** The observations that this is about. */
  readonly about?: readonly Observation[]
}

/** A problem that an expectation found. */
export interface Problematic<S extends Service> {
  readonly wrong: S['wrong']
  readonly severity: Severity
  /** The payments that show it, and the change of the delivery that caused it, if any. */
  readonly payments?: readonly string[]
  readonly change?: string | undefined
  /** Replaces that of the case where the problem is less severe than the case assumes. */
  readonly guidance?: Guidance<S['observation']> | undefined
  /** The exchanges that show the problem, the worst first; absent where no single response shows it. */
  readonly exchanges?: readonly Exchange<S['delivery']>[]
  /** What was observed, where the exchanges do not show it. */
  readonly observed?: S['observation']
  /** Set when no further effect can solve the problem. Otherwise it counts only once the receiver is at rest. */
  readonly decisive?: true
}

/** What an expectation found: no problem, a problem, or that it could not be tested. */
export type Finding<S extends Service> =
  | undefined
  | Problematic<S>
  | { readonly untested: S['open']; readonly decisive?: true }

/** What an expectation is about. */
export type ExpectationKind =
  /** Every probe is accepted. */
  | 'accepted'
  /** Every control is accepted. */
  | 'control-accepted'
  /** Every probe is refused. */
  | 'refused'
  /** Every delivery that prepares for the probe is refused. */
  | 'context-refused'
  /** Every probe is accepted or refused: the contract leaves it open. */
  | 'accepted-or-refused'
  /** Every probe gets a response that is not a server error. */
  | 'answered'
  /** Every delivery that prepares for the probe gets a response that is not a server error. */
  | 'context-answered'
  /** Every response arrives in time. */
  | 'timing'
  /** What the receiver shows that it did. */
  | 'effects'
  /** What no response may contain. */
  | 'disclosure'

/** A named statement about the evidence. */
export interface Expectation<S extends Service> {
  readonly kind: ExpectationKind
  readonly expected: S['expected']
  /** What a case with this expectation about effects is about, unless the case says otherwise. */
  readonly about?: readonly S['observation'][]
  readonly check: (evidence: S['evidence']) => Finding<S>
}

/** A problem, and the expectation that found it. */
export interface Problem<S extends Service> extends Problematic<S> {
  readonly kind: ExpectationKind
  readonly expected: S['expected']
}

/** A finding, and the expectation that made it. */
export interface Found<S extends Service> {
  readonly kind: ExpectationKind
  readonly expected: S['expected']
  readonly finding: NonNullable<Finding<S>>
}

/** What the expectations of a case found in one observation. */
export interface Evaluated<S extends Service> extends Evaluation {
  readonly found: readonly Found<S>[]
}

/** Why a case was not tested or is inconclusive, as data. */
export type Reason<S extends Service> =
  | Untested
  | { readonly code: 'open'; readonly open: S['open'] }
  | { readonly code: 'control_rejected'; readonly problem: Problematic<S> }
  /** Its deliveries got no response for so long, in milliseconds, while the receiver was answering others. */
  | { readonly code: 'queued'; readonly ms: number }
  /** How long the answers took, in milliseconds. */
  | { readonly code: 'answers_late'; readonly ms: number }

/**
 * `warning` is a SHOULD or MAY that was not met: it is reported, but the receiver is still conformant. `inconclusive` is a
 * case whose control, a valid delivery, was rejected, so that its refusals prove nothing.
 */
export type Outcome = 'passed' | 'failed' | 'warning' | 'inconclusive' | 'untested'

/** The outcome of one case, with the evidence. */
export interface Verdict<S extends Service, C extends JudgedCase = JudgedCase> {
  readonly case: C
  readonly outcome: Outcome
  readonly problems: readonly Problem<S>[]
  /** Why the case was not tested or is inconclusive. */
  readonly reason: Reason<S> | undefined
  readonly exchanges: readonly Exchange<S['delivery']>[]
  /** What the receiver showed for each payment of a case that needs effects, oldest first. */
  readonly effects?: ReadonlyMap<string, readonly Effect[]>
  /** How often the receiver handled the delivery with each key of such a case, where the service has no effects of its own. */
  readonly handled?: ReadonlyMap<string, number>
  readonly durationMs: number
  /** How long after the last response the effects were as expected, in milliseconds; undefined if they never were. */
  readonly effectsMs?: number | undefined
}

/** The conclusion about the receiver, for the profile that was tested and no more. */
export type Conclusion = 'conformant' | 'not-conformant' | 'incomplete'

/** What a run grades, and what it excludes, with the reason. */
export interface Selection<C extends JudgedCase> {
  readonly cases: readonly C[]
  readonly excluded: readonly ReportExcluded[]
}
