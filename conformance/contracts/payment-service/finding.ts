import type {
  Evidence as AnyEvidence,
  RunEvidence as AnyRunEvidence,
  Case,
  Evaluation,
} from '../../engine/case.ts'
import type { Exchange as AnyExchange } from '../../engine/exchange.ts'
import type { Delivery } from './delivery.ts'

/** A delivery of the payment service and its response, or why there is none. */
export type Exchange = AnyExchange<Delivery>

/** Everything that a case is judged by. */
export interface Evidence extends AnyEvidence {
  readonly exchanges: readonly Exchange[]
  readonly secrets: readonly string[]
  readonly ackWithinMs: number
  readonly run?: RunEvidence
}

/** The first answers of a run that disclose something, described in a few words. */
export interface Disclosed {
  readonly secret?: string
  readonly signature?: string
}

/** What the run as a whole left behind. */
export interface RunEvidence extends AnyRunEvidence {
  readonly wrongLater: readonly { readonly testCase: Case; readonly evaluation: Evaluated }[]
  readonly disclosed?: Disclosed
}

/** What a failure puts at risk, most severe first. */
export const SEVERITIES = ['security', 'money', 'protocol'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What an expectation found: no problem, a problem, or that it could not be tested. */
export type Finding =
  | undefined
  | {
      readonly problem: string
      readonly severity: Severity
      /** Replaces that of the case where the problem is less severe than the case assumes. */
      readonly guidance?: Guidance
      /** The exchanges that show the problem, the worst first; absent where no single response shows it. */
      readonly exchanges?: readonly Exchange[]
      /** What was observed, where the exchanges do not show it. */
      readonly observed?: Observation
      /** Set when no further effect can solve the problem. Otherwise it counts only once the receiver is at rest. */
      readonly decisive?: true
    }
  | { readonly untested: string; readonly decisive?: true }

/** What was observed instead of what was expected; each has its own impact and fix. */
export type Observation =
  /** A valid delivery was refused, failed in the handler, or got no response. */
  | 'rejected'
  /** A valid delivery got another status of 2xx than 200. */
  | 'acknowledged-otherwise'
  | 'server-error'
  | 'no-response'
  /** A delivery that must be refused was accepted, or refused in another way. */
  | 'let-in'
  | 'refused-with-other-status'
  | 'refused-with-server-error'
  | 'refused-without-response'
  | 'late'
  | 'disclosed'
  /** A payment was fulfilled never, too often, for another amount or currency, or without a completion. */
  | 'not-fulfilled'
  | 'fulfilled-again'
  | 'fulfilled-wrongly'
  | 'fulfilled-not-due'
  /** A payment was reversed never, too often or without a refund, or was fulfilled after its refund. */
  | 'not-reversed'
  | 'reversed-again'
  | 'reversed-not-due'
  | 'fulfilled-after-refund'

/** What a problem means for the merchant, and how to fix it. */
export interface Guidance {
  /** One sentence: the harm. */
  readonly impact: string
  /** What to change in the receiver. */
  readonly fix: string
  /** The observations that this is about. */
  readonly about?: readonly Observation[]
}

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
export interface Expectation {
  readonly kind: ExpectationKind
  /** The statement, as reports show it. */
  readonly expected: string
  /** What a case with this expectation about effects is about, unless the case says otherwise. */
  readonly about?: readonly Observation[]
  readonly check: (evidence: Evidence) => Finding
}

export interface Problem {
  readonly kind: ExpectationKind
  readonly expected: string
  readonly received: string
  readonly severity: Severity
  readonly guidance?: Guidance | undefined
  /** The exchanges that show it, the worst first. */
  readonly exchanges?: readonly Exchange[] | undefined
  readonly observed?: Observation | undefined
}

/** A finding, and the expectation that made it. */
export interface Found {
  readonly kind: ExpectationKind
  readonly expected: string
  readonly finding: NonNullable<Finding>
}

/** What the expectations of a case found in one observation. */
export interface Evaluated extends Evaluation {
  readonly found: readonly Found[]
}
