import type { Effect } from '../../schemas/types.ts'
import type { CONTRACT } from '../generated/contract.ts'
import type { Delivery, HeaderLine } from './delivery.ts'
import type { Kit, Mode } from './kit.ts'
import type { Plan } from './plan.ts'

type Requirement = (typeof CONTRACT)[number]

/** A requirement of SPEC.md, word for word. A misquoted one does not compile. */
export type Sentence = Requirement['sentence']

/** How binding a requirement is: taken from the keyword in its sentence, so the two cannot disagree. */
export type Level = Requirement['level']

/** What a run grades: `core` needs HTTP responses only, `full` also the effects that the receiver shows. */
export type Profile = 'core' | 'full'

/** What a report is about: a run of a profile, or in `durable` one that kills the receiver and starts it again. */
export type ReportProfile = Profile | 'durable'

export type { Mode } from './kit.ts'

/** What a failure puts at risk, most severe first. */
export const SEVERITIES = ['security', 'money', 'protocol'] as const
export type Severity = (typeof SEVERITIES)[number]

/** One test of one requirement: what the contract requires, what is sent, what is expected. */
export interface Case {
  /** The requirement, quoted from SPEC.md. */
  readonly spec: Sentence
  /**
   * Set when the responses alone cannot decide the case: it needs the effects, or a receiver that may be killed and started
   * again. The latter is judged by `hookproof crash`.
   */
  readonly needs?: 'effects' | 'crash'
  /** Set when the case makes sense in one mode only: the other mode excludes it. */
  readonly mode?: Mode
  /** Set when the case would disturb others: it then runs after them, alone. */
  readonly alone?: true
  /** Set when the receiver decides in which order it handles the deliveries: their effects then reveal no cause. */
  readonly isUnordered?: true
  /**
   * Set when a correct receiver answers otherwise to a delivery that reaches it seconds later: a case that fails after a
   * slow answer is sent again, signed for the time that the answer took.
   */
  readonly dependsOnTransit?: true
  /** Set when the case judges the entire run: it is judged after all others, and no earlier than `afterMs` after it sent. */
  readonly late?: { readonly afterMs: number }
  /** The deliveries, in the order in which they are sent. */
  readonly send: (kit: Kit) => Plan
  /** What must hold afterwards, besides that every control is accepted. */
  readonly expect: readonly Expectation[]
  /** Why more than one response is correct, where the contract leaves that open. */
  readonly open?: string
  /** What a failure means for the merchant. */
  readonly impact: string
  /** How to fix the receiver. */
  readonly fix: string
  /**
   * The observations that `impact` and `fix` are about: any other has guidance of its own. By default those of the
   * expectations about effects, or without any those of the responses.
   */
  readonly about?: readonly Observation[]
}

/** A case as it is declared below its requirement, which states the sentence, the impact and the fix for all its cases. */
export type CaseOfRequirement = Omit<Case, 'spec' | 'impact' | 'fix' | 'about'> & Partial<Guidance>

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

/** A receiver's response. */
export interface Answer {
  readonly status: number
  /** The text after the status, where it is not the usual one. */
  readonly reason?: string
  readonly headers: readonly HeaderLine[]
  /** At most the first 64 KiB; `truncated` is set when there was more. */
  readonly body: Buffer
  readonly truncated: boolean
  /** Milliseconds from the first byte sent to the head of the response, without the stalls of this process. */
  readonly ms: number
  /** The same with those stalls: how long the receiver had; absent when there was none. */
  readonly wallMs?: number
}

/** Why there is no response. */
export interface WireError {
  readonly code: 'refused' | 'reset' | 'timeout' | 'dns' | 'tls' | 'unreachable' | 'garbled' | 'local'
  readonly message: string
}

/** A delivery and its response, or why there is none. */
export interface Exchange {
  readonly delivery: Delivery
  readonly answer: Answer | undefined
  readonly error: WireError | undefined
  /** Set for a delivery that expects no response, such as one that stops in the middle. */
  readonly unanswered?: true
}

/** Everything that a case is judged by. */
export interface Evidence {
  readonly exchanges: readonly Exchange[]
  /** What the receiver shows for a payment, oldest first. Empty unless the case needs effects. */
  readonly effects: (paymentId: string) => readonly Effect[]
  readonly secrets: readonly string[]
  readonly ackWithinMs: number
  /** Set when further effects may follow: an effect that is absent is then no problem. */
  readonly incomplete?: true
  /** What the other cases left behind; only for a case that is judged after them. */
  readonly run?: RunEvidence
}

/** The first answers of a run that disclose something, described in a few words. */
export interface Disclosed {
  readonly secret?: string
  readonly signature?: string
}

/** What all cases showed at the end of a run. */
export interface RunEvidence {
  /** Payments that became wrong after their case had passed, each with the problem and the case. */
  readonly wrongLater: readonly string[]
  /** Payments that were acknowledged and never processed, each with its case. */
  readonly lost: readonly string[]
  readonly disclosed?: Disclosed
}

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

/**
 * `warning` is a SHOULD or MAY that was not met: it is reported, but the receiver is still conformant. `inconclusive` is a
 * case whose control, a valid delivery, was rejected, so that its refusals prove nothing.
 */
export type Outcome = 'passed' | 'failed' | 'warning' | 'inconclusive' | 'untested'

/** The outcome of one case, with the evidence. */
export interface Verdict {
  readonly case: CatalogueCase
  readonly outcome: Outcome
  readonly problems: readonly Problem[]
  /** Why the case was not tested or is inconclusive. */
  readonly reason: string | undefined
  readonly exchanges: readonly Exchange[]
  /** What the receiver showed for each payment of a case that needs effects, oldest first. */
  readonly effects?: ReadonlyMap<string, readonly Effect[]>
  readonly durationMs: number
  /** How long after the last response the effects were as expected, in milliseconds; undefined if they never were. */
  readonly effectsMs?: number | undefined
}

/** The conclusion about the receiver, for the profile that was tested and no more. */
export type Conclusion = 'conformant' | 'not-conformant' | 'incomplete'
