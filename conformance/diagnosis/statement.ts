import type { Delivery } from '../contracts/webhook/delivery.ts'
import type { OddEvent } from '../contracts/webhook/kit.ts'
import type { Unreadable } from '../engine/errors.ts'
import type { Answerer } from './answerer.ts'
import type { OtherFunction, SecretCode, SignedTextCode } from './mistakes/form.ts'

/** The stable codes of the causes that a report can name. */
export const CAUSE_CODES = [
  'acts_before_verifying',
  'amount_in_minor_units',
  'amount_limited',
  'amount_requested_credited',
  'amount_rounded',
  'answers_not_200',
  'blocked_by_unfinished_body',
  'body_already_read',
  'body_decoded_as_text',
  'body_expanded_first',
  'body_limit',
  'body_not_read_to_end',
  'body_parsed_first',
  'body_reserialized',
  'body_trimmed',
  'character_lost',
  'claimed_twice',
  'clock_off',
  'clock_stands_still',
  'connection_not_reset',
  'connection_trusted',
  'content_type_required',
  'crashed',
  'csrf_protection',
  'currency_not_listed',
  'currency_rewritten',
  'deduplicated_by_body',
  'deduplicated_by_livemode',
  'deduplicated_by_order_number',
  'deduplicated_by_payment_alone',
  'deduplicated_by_signature',
  'deduplicated_by_timestamp',
  'deduplicated_per_process',
  'deduplication_forgotten',
  'early_refund_forgotten',
  'effects_unreadable',
  'entries_by_position',
  'entries_by_search',
  'error_not_caught',
  'event_name_compared_partly',
  'event_refused',
  'events_debounced',
  'expired_credited',
  'failed_credited',
  'fails_when_concurrent',
  'first_not_recognized',
  'future_refused',
  'handler_throws',
  'header_name_case',
  'key_guessable',
  'label_by_prefix',
  'late_event_overwrites',
  'length_in_characters',
  'locked_out',
  'lost_beside_another',
  'lost_in_burst',
  'lost_now_and_then',
  'lost_when_concurrent',
  'metadata_merged',
  'milliseconds',
  'no_deduplication',
  'no_effects',
  'no_verification',
  'no_window',
  'not_atomic',
  'nothing_accepted',
  'older_events_skipped',
  'one_refusal_status',
  'one_signature_read',
  'overlap_not_locked',
  'other_function_accepted',
  'partial_credited',
  'payment_closed',
  'payment_ids_merged',
  'places_not_released',
  'query_merged',
  'redelivery_refused',
  'redirects',
  'refund_forgotten',
  'refunds_ignored',
  'refusal_with_5xx',
  'refusals_acknowledged',
  'remembers_refused',
  'requests_mixed_up',
  'secret_changed',
  'secret_disclosed',
  'settled_via_credited',
  'signature_as_pattern',
  'signature_compared_partly',
  'signature_disclosed',
  'signature_encoding',
  'signature_zeros_lost',
  'signed_text_differs',
  'slow_acknowledgment',
  'slow_effects',
  'status_decides',
  'statuses_swapped',
  'stopped_answering',
  't_parsed_leniently',
  'time_overflows',
  'trace_disclosed',
  'unknown_labels_refused',
  'unsigned_accepted',
  'verification_bypassed',
  'window_future_only',
  'window_length',
  'window_past_only',
  'window_remembered',
  'window_unit',
  'work_canceled',
  'work_stopped',
  'wrong_header_name',
  'wrong_refusal_status',
  'wrong_secret',
] as const

export type CauseCode = (typeof CAUSE_CODES)[number]

/** What valid deliveries got, where nearly none was accepted. */
export interface NothingAccepted {
  readonly received: {
    /** The commonest status; undefined without a response. */
    readonly status: number | undefined
    readonly times: number
    readonly of: number
    readonly isAll: boolean
  }
}

/** A delivery that must be refused, by what is wrong with it. */
export type RefusalKind = 'missing' | 'malformed' | 'stale' | 'forged'

export interface WrongStatuses {
  readonly wrong: readonly {
    readonly kind: RefusalKind
    readonly status: number
    readonly required: number
  }[]
}

export interface Acknowledged {
  readonly statuses: readonly number[]
  /** Whether no valid delivery got 200. */
  readonly isAll: boolean
}

/** The first response that showed it, where the entire run was judged. */
export interface FirstDisclosure {
  readonly first?: { readonly status: number; readonly delivery: string } | undefined
}

type None = Readonly<Record<string, never>>

/** What was observed of a cause; without it, the report says what always holds. */
export interface CauseData {
  acts_before_verifying: None
  amount_in_minor_units: None
  /** The amount that larger ones are credited as, or that they overflow in 32 bits. */
  amount_limited: { readonly most: string } | { readonly isOverflow: true }
  amount_requested_credited: None
  amount_rounded: None
  answers_not_200: Acknowledged
  blocked_by_unfinished_body: None
  body_already_read: Partial<NothingAccepted>
  body_expanded_first: None
  body_limit: { readonly bytes: number }
  /** The statuses of forged bodies that are not JSON, or that no event fits the class that it is bound to. */
  body_parsed_first: { readonly statuses: readonly number[] } | { readonly isBound: true }
  /** The serializer that writes what is verified, or that it is the usual one of JavaScript. */
  body_reserialized: { readonly by?: string; readonly isJavaScript?: true }
  body_trimmed: None
  claimed_twice: None
  clock_off: { readonly seconds: number }
  clock_stands_still: None
  connection_not_reset: None
  connection_trusted: None
  content_type_required: None
  crashed: {
    /** How its process ended, if the suite started it, and the deliveries that were in flight then. */
    readonly end?: End | undefined
    /** What was changed in the deliveries that got no answer. */
    readonly unanswered?: readonly string[]
  }
  csrf_protection: NothingAccepted
  /** Some of the currencies, and whether their events are refused instead of acknowledged without an effect. */
  currency_not_listed: { readonly isRefused: boolean; readonly currencies: readonly string[] }
  deduplicated_by_livemode: None
  /** The fields of the metadata that explain it: each payment that was lost shares all of them with another one. */
  deduplicated_by_order_number: { readonly fields: readonly string[] }
  deduplicated_by_timestamp: None
  deduplicated_per_process: None
  deduplication_forgotten: { readonly isAtExpiry?: boolean; readonly isLater?: boolean }
  effects_unreadable: { readonly why: Unreadable }
  entries_by_position: None
  entries_by_search: None
  error_not_caught: {
    readonly isThrown: boolean
    readonly isDropped: boolean
    /** What was changed in the delivery of the case that is shown. */
    readonly change?: string | undefined
  }
  events_debounced: None
  expired_credited: None
  failed_credited: None
  /** Set where each error is a 503, by which servers turn away what is over a limit. */
  fails_when_concurrent: { readonly isTurnedAway?: boolean }
  first_not_recognized: None
  future_refused: None
  handler_throws: NothingAccepted
  label_by_prefix: None
  signature_as_pattern: None
  length_in_characters: None
  locked_out: { readonly status?: number }
  lost_beside_another: { readonly beside: OddEvent | undefined }
  lost_in_burst: None
  lost_now_and_then: None
  lost_when_concurrent: None
  metadata_merged: None
  no_deduplication: None
  no_effects: None
  no_verification: { readonly isUnobserved?: boolean }
  no_window: None
  not_atomic: None
  nothing_accepted: NothingAccepted & {
    readonly isAcceptedAgain?: boolean
    /** Set when a forged body that is not JSON is refused otherwise than one that is. */
    readonly isParsedFirst?: true
    /** What answered instead of the handler, if the responses show it. */
    readonly by?: Answerer
    /** Set where the service has no live mode to try. */
    readonly hasOneMode?: true
  }
  one_refusal_status: { readonly status: number }
  overlap_not_locked: None
  partial_credited: None
  payment_ids_merged: None
  places_not_released: None
  /** Whether the query only fills what the body lacks. */
  query_merged: { readonly isFilling?: true }
  redelivery_refused: None
  redirects: Acknowledged
  refund_forgotten: None
  refusal_with_5xx: WrongStatuses & { readonly isOne: boolean }
  refusals_acknowledged: { readonly statuses: readonly number[] }
  remembers_refused: None
  /** Set when payments are credited with the amounts of others. */
  requests_mixed_up: { readonly isMoney?: true }
  secret_disclosed: FirstDisclosure
  signature_disclosed: FirstDisclosure
  signature_encoding: None
  /** Whether each byte loses a zero in front, or only the number as a whole. */
  signature_zeros_lost: { readonly isOfEachByte: boolean }
  slow_acknowledgment: None
  slow_effects: None
  status_decides: None
  statuses_swapped: None
  stopped_answering: {
    /** The case whose delivery is the likely reason, and what was changed in that. */
    readonly suspect: string | undefined
    readonly change: string | undefined
    readonly inFlight: readonly string[]
    readonly brokenOff: number
    /** Whether its sender broke off, and nothing else was unusual. */
    readonly isBrokenOffAlone: boolean
  }
  time_overflows: None
  trace_disclosed: FirstDisclosure
  unknown_labels_refused: None
  unsigned_accepted: None
  verification_bypassed: { readonly change?: string | undefined }
  window_future_only: None
  window_length: { readonly seconds: number; readonly isTooLong: boolean }
  window_past_only: None
  window_remembered: None
  window_unit: { readonly seconds: number }
  work_canceled: None
  work_stopped: None
  wrong_header_name: {
    readonly name: string
    /** The service whose valid deliveries were accepted instead. */
    readonly service?: { readonly id: string; readonly title: string }
  }
  wrong_refusal_status: WrongStatuses
  wrong_secret: NothingAccepted
}

/** An event by which a receiver handles another one of its payment wrongly. */
export type Meddler = 'failed' | 'partial' | 'expired'

/** The ways to make a mistake that has words for each of them, and none for all. */
export interface CauseForms {
  body_decoded_as_text: {
    readonly as: 'utf-8' | 'latin-1' | 'normalized' | 'one-line' | 'converted-lines' | 'printed-bytes'
  }
  body_not_read_to_end: { readonly read: 'length' | 'first-part' }
  character_lost: {
    readonly character: 'four-bytes' | 'nul' | 'surrogate' | 'nul-or-surrogate' | 'beyond-ascii'
  }
  currency_rewritten: { readonly to: 'lowercase' | 'three-letters' }
  deduplicated_by_body: { readonly by: 'bytes' | 'fields' }
  deduplicated_by_payment_alone: { readonly by: 'id' | 'fulfillment' }
  deduplicated_by_signature: { readonly by: 'signature' | 't' }
  early_refund_forgotten: { readonly isRecorded: boolean }
  event_name_compared_partly: { readonly part: 'end' | 'beginning' | 'inside' }
  /** The events with one name, all but those with some names, or those with something else in common. */
  event_refused:
    | { readonly name: string }
    | { readonly allBut: readonly string[] }
    | { readonly trait: EventTrait }
  header_name_case: { readonly refused: 'upper' | 'lower' | 'all-but-one' }
  /** A key is empty if there is no secret. One of several that are accepted, or the only one. */
  key_guessable: { readonly key: string; readonly isOnly: boolean; readonly isExample?: boolean }
  late_event_overwrites: { readonly event: Meddler; readonly isReversed: boolean }
  milliseconds: { readonly isExpected: boolean }
  older_events_skipped: { readonly isSameTimeSkipped: boolean }
  one_signature_read: { readonly which: 'first' | 'last' | 'every' }
  other_function_accepted: { readonly hashes: readonly OtherFunction['hash'][] }
  payment_closed: { readonly event: Meddler }
  refunds_ignored: {
    /** The type of refund, or the other event of its payment, without which none is ignored. */
    readonly type?: RefundType
    readonly event?: Meddler
  }
  secret_changed: { readonly form: SecretCode; readonly isOnly: boolean }
  settled_via_credited: { readonly isWithCurrency: boolean }
  signature_compared_partly: { readonly isBeginning: boolean }
  signed_text_differs:
    | { readonly text: SignedTextCode; readonly isOnly: boolean }
    | { readonly hash: OtherFunction['hash'] }
  t_parsed_leniently: { readonly isReplaced: boolean }
}

export type RefundType = 'refund' | 'chargeback'

/** What the refused events of a receiver have in common. */
export type EventTrait =
  | RefundType
  | 'unknown-name'
  | 'simulated'
  | 'test-mode'
  | 'no-livemode'
  | 'empty-metadata'
  | 'amount-requested'
  | 'settled-via'
  | 'unknown-fields'

/** How the process of a receiver ended, and what was in flight. */
export interface End {
  readonly how: string
  readonly inFlight: readonly Pick<Delivery, 'change' | 'event'>[]
}

/** A cause, as its code and what was observed of it; the report makes words of them. */
export type Said =
  | {
      readonly [Code in keyof CauseData]: { readonly code: Code; readonly data?: CauseData[Code] }
    }[keyof CauseData]
  | {
      readonly [Code in keyof CauseForms]: { readonly code: Code; readonly data: CauseForms[Code] }
    }[keyof CauseForms]
