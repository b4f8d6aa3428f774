import type { Effect } from '../../../schemas/types.ts'
import type {
  Evidence as AnyEvidence,
  RunEvidence as AnyRunEvidence,
  Case,
  Evaluation,
  Untested,
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

/** The response that disclosed something: to which delivery of which case. */
export interface DisclosedBy {
  readonly status: number
  readonly delivery: string
  readonly case: string
}

/** The first responses of a run that disclose something. */
export interface Disclosed {
  readonly secret?: DisclosedBy
  readonly signature?: DisclosedBy
}

/** What the run as a whole left behind. */
export interface RunEvidence extends AnyRunEvidence {
  readonly wrongLater: readonly { readonly testCase: Case; readonly evaluation: Evaluated }[]
  readonly disclosed?: Disclosed
}

/** What a failure puts at risk, most severe first. */
export const SEVERITIES = ['security', 'money', 'protocol'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Makes a union of objects with a code and data from a table. */
type Coded<Data> = {
  readonly [Code in keyof Data]: { readonly code: Code } & Readonly<Data[Code]>
}[keyof Data]

type None = Readonly<Record<never, never>>
type Statuses = { readonly statuses: readonly number[] }
/** What no response may contain. */
export type Secrecy = 'secret' | 'signature' | 'trace'
type Shown = Effect['effect']

/** What each kind of expectation states, as data; report/words/findings.ts has the words. */
export interface ExpectedData {
  accepted: None
  accepted_or_busy: Statuses
  accepted_unless_busy: Statuses
  control_accepted: None
  accepted_afterwards: None
  accepted_meanwhile: None
  accepted_while_expanding: None
  refused: Statuses
  refused_before: Statuses & { readonly what: 'forged' | 'stale' }
  refused_within: { readonly from: number; readonly to: number; readonly others: readonly number[] }
  refused_with_4xx: None
  refused_or_closed: None
  stale_not_accepted: None
  not_accepted: None
  accepted_or_refused: Statuses
  answered: None
  answered_before: None
  answered_in_time: None
  clock_advances: None
  nothing_disclosed: { readonly what: Secrecy }
  nothing_disclosed_in_the_run: { readonly what: Secrecy }
  fulfilled_once: None
  fulfilled_if_acknowledged: None
  fulfilled_once_as_live: None
  fulfilled_then_reversed: None
  nothing_handled: None
  nothing_left_fulfilled: None
  nothing_done_later: None
  nothing_lost: None
  not_fulfilled_as_live: None
  not_reversed_as_settled: None
  livemode_shown: None
  live_effects: None
  sparse_like_full: None
  effects_of_sequences: None
  /** What a run of crashes states in its own words. */
  text: { readonly text: string }
}
export type Expected = Coded<ExpectedData>

/** What is wrong, as data, beside the payments and the exchanges of the finding. */
export interface WrongData {
  /** The response of the first exchange; `several` if others were judged too. */
  answer: { readonly several: boolean }
  answer_afterwards: { readonly causes: readonly string[] }
  nothing_could_follow: { readonly causes: readonly string[] }
  answer_while_expanding: None
  ended_while_expanding: None
  let_in: None
  late: { readonly ms: number; readonly limitMs: number }
  disclosed: { readonly what: Secrecy }
  disclosed_in_the_run: { readonly what: Secrecy; readonly first: DisclosedBy }
  clock_stands_still: { readonly ahead: number; readonly aheadAtStart: number }
  not_fulfilled: { readonly isTest?: boolean }
  fulfilled_often: { readonly times: number }
  reversed_often: { readonly times: number }
  reversed_without_refund: None
  other_amount: { readonly amount: string; readonly expected: string }
  other_currency: { readonly currency: string; readonly expected: string | undefined }
  handled: { readonly effects: readonly { readonly effect: Shown; readonly amount: string }[] }
  in_order: { readonly effects: readonly Shown[] }
  other_livemode: { readonly livemode: boolean; readonly expected: boolean | undefined }
  shown_as_live: None
  reversed_as_settled: { readonly amount: string; readonly currency: string }
  after_sequence: {
    readonly sequence: readonly string[]
    readonly effects: readonly Shown[]
    readonly allowed: readonly (readonly Shown[])[]
    readonly other?: Wrong | undefined
  }
  wrong_later: { readonly wrong: readonly { readonly case: string; readonly problem: Problematic }[] }
  lost: { readonly lost: readonly { readonly case: string; readonly payment: string }[] }
  text: { readonly text: string }
}
export type Wrong = Coded<WrongData>

/** Why an expectation could not be tested, as data. */
export interface OpenData {
  gone_before: None
  answer_meanwhile: { readonly exchange: Exchange | undefined; readonly mayLimit: boolean }
  may_block: { readonly exchange: Exchange; readonly causes: readonly string[] }
  as_uncompressed: { readonly exchange: Exchange }
  secret_too_short: None
  no_effect_shown: None
  livemode_not_shown: None
  livemode_of_test_not_shown: None
}
export type Open = Coded<OpenData>

/** Why a case has no result, beside what the engine says about it. */
interface OwnReasonData {
  open: { readonly open: Open }
  control_rejected: { readonly problem: Problematic }
  /** How long the answers took, in milliseconds. */
  answers_late: { readonly ms: number }
  /** What a run of crashes says in its own words. */
  text: { readonly text: string }
}
/** Why a case was not tested or is inconclusive, as data. */
export type Reason = Untested | Coded<OwnReasonData>
export type ReasonData = { readonly [Code in Reason['code']]: Extract<Reason, { readonly code: Code }> }

/** A problem that an expectation found. */
export interface Problematic {
  readonly wrong: Wrong
  readonly severity: Severity
  /** The payments that show it, and the change of the delivery that caused it, if any. */
  readonly payments?: readonly string[]
  readonly change?: string | undefined
  /** Replaces that of the case where the problem is less severe than the case assumes. */
  readonly guidance?: Guidance | undefined
  /** The exchanges that show the problem, the worst first; absent where no single response shows it. */
  readonly exchanges?: readonly Exchange[]
  /** What was observed, where the exchanges do not show it. */
  readonly observed?: Observation
  /** Set when no further effect can solve the problem. Otherwise it counts only once the receiver is at rest. */
  readonly decisive?: true
}

/** What an expectation found: no problem, a problem, or that it could not be tested. */
export type Finding = undefined | Problematic | { readonly untested: Open; readonly decisive?: true }

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
  readonly expected: Expected
  /** What a case with this expectation about effects is about, unless the case says otherwise. */
  readonly about?: readonly Observation[]
  readonly check: (evidence: Evidence) => Finding
}

/** A problem, and the expectation that found it. */
export interface Problem extends Problematic {
  readonly kind: ExpectationKind
  readonly expected: Expected
}

/** A finding, and the expectation that made it. */
export interface Found {
  readonly kind: ExpectationKind
  readonly expected: Expected
  readonly finding: NonNullable<Finding>
}

/** What the expectations of a case found in one observation. */
export interface Evaluated extends Evaluation {
  readonly found: readonly Found[]
}
