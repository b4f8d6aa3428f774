import type { Verdict } from '../case/model.ts'
import type { Evidence } from './evidence.ts'

/** The stable codes of the causes that a report can name. */
export const CAUSE_CODES = [
  'acts_before_verifying',
  'amount_in_minor_units',
  'amount_requested_credited',
  'amount_rounded',
  'answers_not_200',
  'body_already_read',
  'body_decoded_as_text',
  'body_limit',
  'body_parsed_first',
  'body_reserialized',
  'body_trimmed',
  'clock_off',
  'connection_not_reset',
  'content_type_required',
  'crashed',
  'currency_rewritten',
  'deduplicated_by_body',
  'deduplicated_by_payment_alone',
  'deduplicated_by_signature',
  'deduplicated_by_timestamp',
  'early_refund_forgotten',
  'entries_by_position',
  'error_not_caught',
  'event_refused',
  'expired_credited',
  'failed_credited',
  'future_refused',
  'handler_throws',
  'header_name_case',
  'key_guessable',
  'label_by_prefix',
  'milliseconds',
  'no_deduplication',
  'no_effects',
  'no_verification',
  'no_window',
  'not_atomic',
  'nothing_accepted',
  'one_refusal_status',
  'partial_credited',
  'payment_ids_merged',
  'redelivery_refused',
  'redirects',
  'refunds_ignored',
  'refusal_with_5xx',
  'remembers_refused',
  'reversed_for_each_refund',
  'secret_changed',
  'settled_via_credited',
  'signature_compared_partly',
  'signature_encoding',
  'signed_text_differs',
  'slow_acknowledgment',
  'slow_effects',
  'status_decides',
  'statuses_swapped',
  't_parsed_leniently',
  'unknown_labels_refused',
  'unsigned_accepted',
  'window_future_only',
  'window_length',
  'window_past_only',
  'window_unit',
  'wrong_header_name',
  'wrong_refusal_status',
  'wrong_secret',
] as const

export type CauseCode = (typeof CAUSE_CODES)[number]

/** A cause that the evidence supports, and the verdicts that it explains. */
export interface Candidate {
  /** Stable: programs decide by it. */
  readonly code: CauseCode
  /** One sentence: what the receiver does wrong. */
  readonly sentence: string
  /** What to change, in one or two sentences. */
  readonly fix: string
  readonly explains: ReadonlySet<Verdict>
  /** Verdicts that follow from the cause, but give no evidence of it. */
  readonly also?: ReadonlySet<Verdict>
  /** Verdicts that look alike, but that it does not explain: as many as it explains, and it is a coincidence. */
  readonly conflicts?: ReadonlySet<Verdict>
}

/** What a cause says, whatever it explains. */
export type Statement = Pick<Candidate, 'code' | 'sentence' | 'fix'>

/** Recognizes causes: none unless both what failed and what passed fit. */
export type Recognize = (evidence: Evidence) => readonly Candidate[]
