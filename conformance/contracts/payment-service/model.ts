import type { Effect } from '../../../schemas/types.ts'
import type { Plan as AnyPlan } from '../../engine/plan.ts'
import type { Delivery } from './delivery.ts'
import type { Exchange, Expectation, Guidance, Observation, Problem, Reason } from './finding.ts'
import type { Kit, Mode } from './kit.ts'
import type { CONTRACT } from './requirements/contract.generated.ts'

type Requirement = (typeof CONTRACT)[number]

/** A requirement of SPEC.md, word for word. A misquoted one does not compile. */
export type Sentence = Requirement['sentence']

/** How binding a requirement is: taken from the keyword in its sentence, so the two cannot disagree. */
export type Level = Requirement['level']

/** What a run grades: `core` needs HTTP responses only, `full` also the effects that the receiver shows. */
export type Profile = 'core' | 'full'

/** What a report is about: a run of a profile, or in `durable` one that kills the receiver and starts it again. */
export type ReportProfile = Profile | 'durable'

export type { Answer, WireError } from '../../engine/exchange.ts'
export {
  type Evaluated,
  type Evidence,
  type Exchange,
  type Expectation,
  type ExpectationKind,
  type Finding,
  type Found,
  type Guidance,
  type Observation,
  type Problem,
  type RunEvidence,
  SEVERITIES,
  type Severity,
} from './finding.ts'
export type { Mode } from './kit.ts'

/** What a case of the payment service sends, as data. */
export type Plan = AnyPlan<Delivery>

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
  /**
   * What the case is to the run, where that is more than one test among others: `liveness` fails when the receiver has
   * stopped answering, and `losses` reports what was acknowledged and never processed.
   */
  readonly role?: 'liveness' | 'losses'
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
  readonly reason: Reason | undefined
  readonly exchanges: readonly Exchange[]
  /** What the receiver showed for each payment of a case that needs effects, oldest first. */
  readonly effects?: ReadonlyMap<string, readonly Effect[]>
  readonly durationMs: number
  /** How long after the last response the effects were as expected, in milliseconds; undefined if they never were. */
  readonly effectsMs?: number | undefined
}

/** The conclusion about the receiver, for the profile that was tested and no more. */
export type Conclusion = 'conformant' | 'not-conformant' | 'incomplete'
