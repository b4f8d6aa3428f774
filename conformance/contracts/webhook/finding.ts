import type { Effect } from '../../../schemas/types.ts'
import type { Evidence as AnyEvidence, RunEvidence as AnyRunEvidence, Case } from '../../engine/case.ts'
import type { Exchange as AnyExchange } from '../../engine/exchange.ts'
import type * as Any from '../model.ts'
import type { CrashExpectedData, CrashFinding } from './crash-finding.ts'
import type { Delivery } from './delivery.ts'

/** A delivery of the payment service and its response, or why there is none. */
export type Exchange = AnyExchange<Delivery>

/** Everything that a case is judged by. */
export interface Evidence extends AnyEvidence {
  readonly exchanges: readonly Exchange[]
  readonly effects: (payment: string) => readonly Effect[]
  readonly secrets: readonly string[]
  readonly ackWithinMs: number
  readonly run?: RunEvidence
}

/** The response that disclosed something: to which delivery of which case. */
export interface DisclosedBy {
  readonly status: number
  readonly delivery: string
  readonly case: string
  readonly exchange: Exchange
}

/** The first responses of a run that disclose something. */
export interface Disclosed {
  readonly secret?: DisclosedBy
  readonly signature?: DisclosedBy
  /** Where the delivery has no valid signature: who sends others has the secret. */
  readonly trace?: DisclosedBy
}

/** What the run as a whole left behind. */
export interface RunEvidence extends AnyRunEvidence {
  readonly wrongLater: readonly { readonly testCase: Case; readonly evaluation: Evaluated }[]
  readonly disclosed?: Disclosed
}

type None = Readonly<Record<never, never>>
type Statuses = { readonly statuses: readonly number[] }
/** What no response may contain. */
export type Secrecy = 'secret' | 'signature' | 'trace'
type Shown = Effect['effect']

/** What each kind of expectation states, as data; report/words/findings.ts has the words. */
export interface ExpectedData extends CrashExpectedData {
  accepted: None
  accepted_or_busy: Statuses
  accepted_unless_busy: Statuses
  control_accepted: None
  accepted_afterwards: None
  accepted_after_refusals: None
  accepted_meanwhile: None
  accepted_while_expanding: None
  refused: Statuses
  refused_before: Statuses & { readonly what: 'forged' | 'stale' }
  refused_within: { readonly from: number; readonly to: number; readonly others: readonly number[] }
  refused_with_4xx: None
  refused_or_closed: None
  stale_not_accepted: None
  not_accepted: None
  not_let_in: None
  acknowledged: None
  acknowledged_or_busy: Statuses
  accepted_or_refused: Statuses
  /** A response with the challenge of a request that verifies the address of the receiver. */
  challenge_answered: None
  handled_once: None
  handled_once_together: None
  not_handled: None
  answered: None
  answered_before: None
  answered_in_time: None
  clock_advances: None
  stale_although_seen: None
  nothing_disclosed: { readonly what: Secrecy }
  nothing_disclosed_in_the_run: { readonly what: Secrecy }
  fulfilled_once: None
  fulfilled_if_acknowledged: None
  fulfilled_exactly_if_at_all: None
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
}
export type Expected = Any.Coded<ExpectedData>

/** What is wrong, as data, beside the payments and the exchanges of the finding. */
export interface WrongData {
  /** The response of the first exchange; `several` if others were judged too. */
  answer: { readonly several: boolean }
  answer_afterwards: { readonly causes: readonly string[] }
  nothing_could_follow: { readonly causes: readonly string[] }
  locked_out: { readonly status: number }
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
  amount_of_another: { readonly amount: string; readonly expected: string }
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
  challenge_not_answered: None
  not_handled: None
  handled_often: { readonly times: number }
  /** How often each of several deliveries was handled. */
  handled_often_together: { readonly each: readonly { readonly key: string; readonly times: number }[] }
  handled_wrongly: { readonly isRefused: boolean }
  found_in_crash: { readonly found: CrashFinding }
}
export type Wrong = Any.Coded<WrongData>

/** Why an expectation could not be tested, as data. */
export interface OpenData {
  gone_before: None
  answer_meanwhile: { readonly exchange: Exchange | undefined; readonly mayLimit: boolean }
  may_block: { readonly exchange: Exchange; readonly causes: readonly string[] }
  as_uncompressed: { readonly exchange: Exchange }
  secret_too_short: None
  no_effect_shown: None
  nothing_shown_as_handled: None
  livemode_not_shown: None
  livemode_of_test_not_shown: None
  open_in_crash: { readonly found: CrashFinding }
}
export type Open = Any.Coded<OpenData>

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
  /** A delivery of a service without effects of its own was handled never, too often, or although it must be refused. */
  | 'not-handled'
  | 'handled-again'
  | 'handled-not-due'

/** Signed webhooks, as the types that every contract has. */
export interface Webhooks extends Any.Service {
  readonly delivery: Delivery
  readonly evidence: Evidence
  readonly expected: Expected
  readonly wrong: Wrong
  readonly open: Open
  readonly observation: Observation
}

export type Guidance = Any.Guidance<Observation>

/** What it means that a payment is shipped whose refund arrived before. */
export const SHIPPED_AFTER_REFUND = {
  impact: 'A refunded payment is still shipped, because its events arrived out of order.',
  fix: 'Remember every refund, even one whose completion has not arrived yet: a completion that comes later must not ship.',
} as const satisfies Guidance

export type Problematic = Any.Problematic<Webhooks>
export type Finding = Any.Finding<Webhooks>
export type Expectation = Any.Expectation<Webhooks>
export type Problem = Any.Problem<Webhooks>
export type Evaluated = Any.Evaluated<Webhooks>
export type Reason = Any.Reason<Webhooks>
export type ReasonData = { readonly [Code in Reason['code']]: Extract<Reason, { readonly code: Code }> }
