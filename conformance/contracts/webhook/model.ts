import type { Plan as AnyPlan } from '../../engine/plan.ts'
import type { Verdict as AnyVerdict, Level } from '../model.ts'
import type { Delivery } from './delivery.ts'
import type { Expectation, Guidance, Observation, Webhooks } from './finding.ts'
import type { Kit, Mode } from './kit.ts'

/** A version of a contract, such as `1.0`. */
export type ContractVersion = `${number}.${number}`

/** What a run grades: `core` needs HTTP responses only, `full` also the effects that the receiver shows. */
export type Profile = 'core' | 'full'

/** What a report is about: a run of a profile, or in `durable` one that kills the receiver and starts it again. */
export type ReportProfile = Profile | 'durable'

export type { Answer, WireError } from '../../engine/exchange.ts'
export {
  type Conclusion,
  type ExpectationKind,
  type Level,
  type Outcome,
  SEVERITIES,
  type Severity,
} from '../model.ts'
export type {
  Evaluated,
  Evidence,
  Exchange,
  Expectation,
  Finding,
  Guidance,
  Observation,
  Problem,
  RunEvidence,
} from './finding.ts'
export type { Mode } from './kit.ts'

/** What a case sends, as data. */
export type Plan = AnyPlan<Delivery>

/** What a case is to the run, or by which difference to other cases it shows a cause. */
export type Role =
  /** It fails when the receiver has stopped answering. */
  | 'liveness'
  /** It fails when the receiver accepts nothing any more, from nobody. */
  | 'lockout'
  /** It reports what was acknowledged and never processed. */
  | 'losses'
  /** It sends what must be refused with something that may turn the check off. */
  | 'way-around'
  /** It sends copies of a delivery one right after another. */
  | 'copies-in-turn'
  /** It sends copies of a delivery together. */
  | 'copies-together'
  /** It delivers again while the receiver may still work, because its sender hung up or on other connections. */
  | 'copies-overlapping'
  /** It sends copies of a delivery on other connections, after other payments or after some time. */
  | 'copies-apart'
  /** It sends a copy of the first delivery of the run. */
  | 'copy-of-the-first'
  /** It sends copies when the signature of the first delivery has expired. */
  | 'copies-after-expiry'
  /** It sends copies after the time that the run says. */
  | 'copies-after-given-time'
  /** It sends a refund while the receiver works on another event of its payment. */
  | 'refund-meanwhile'
  /** It sends a refund while the receiver works on nothing else. */
  | 'refund-in-turn'

/** One test of one requirement: what the contract requires, what is sent, what is expected. */
export interface Case {
  /** The requirement, quoted from the contract. */
  readonly spec: string
  /**
   * Set when the responses alone cannot decide the case: it needs the effects, or a receiver that may be killed and started
   * again. The latter is judged by `hookproof crash`.
   */
  readonly needs?: 'effects' | 'crash'
  /** Set when the case makes sense in one mode only: the other mode excludes it. */
  readonly mode?: Mode
  /** Set when the case runs only if the run says after what time it delivers again: without that it is excluded. */
  readonly onlyWith?: 'redeliver-after'
  /** Set when the case waits until all others have sent, and should wait for as long as the run takes: it begins first. */
  readonly early?: true
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
  /** What the case is to the run and to the causes, where that is more than one test among others. */
  readonly role?: Role
  /**
   * The deliveries, in the order in which they are sent. The kit is that of the contract that the case belongs to, which may
   * make more than every kit does.
   */
  send(this: void, kit: Kit): Plan
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
export type CaseOfRequirement<K extends Kit = Kit> = Omit<
  Case,
  'spec' | 'impact' | 'fix' | 'about' | 'send'
> &
  Partial<Guidance> & { send(this: void, kit: K): Plan }

/** A case with its place in the catalogue. */
export interface CatalogueCase extends Case {
  readonly id: string
  readonly section: string
  readonly title: string
  readonly number: string
  readonly level: Level
  /** The contract that numbers it, where that is not SPEC.md, and why it requires this. */
  readonly contract?: { readonly name: string; readonly source: string }
}

/** The cases of one section of a contract. */
export interface Section<Id extends string = string, Name extends string = string> {
  readonly id: Id
  readonly title: string
  /** What all its cases are to the run. */
  readonly role?: Case['role']
  readonly cases: Readonly<Record<Name, Case>>
}

/** The outcome of one case, with the evidence. */
export type Verdict = AnyVerdict<Webhooks, CatalogueCase>
