import { SHIPPED_AFTER_REFUND } from '../../../contracts/webhook/finding.ts'
import type { CauseForms } from '../../../diagnosis/statement.ts'
import { namesIn } from '../../wording.ts'
import type { CauseTerms, Forms, Words } from './words.ts'

const BY_NAME =
  'Decide by the exact event name: fulfill on payment.completed only, and reverse on payment.refunded.'
const IN_ANY_ORDER =
  'Fulfill on payment.completed unless the payment was refunded, and reverse on payment.refunded, each once; let no other event change what was fulfilled.'
const OWN_AMOUNT =
  'Credit amount and currency of the event itself, exactly as the decimal text that it holds.'
const uniqueKey = ({ dedupe, key }: CauseTerms) =>
  dedupe === undefined
    ? 'Insert the payment id, the event, and for payment.partial its amount_received under a unique key, and handle the event only when the insert succeeded. A payment is reversed once: a refund and a chargeback share one key.'
    : `Insert ${key} under a unique key, in the database that all workers share, and handle the delivery only when the insert succeeded.`
/** For how long what was handled must be known. */
const remembering = ({ dedupe, items }: CauseTerms) =>
  dedupe === undefined
    ? 'Remember payments permanently, in the database'
    : `Remember ${items} for as long as the service may send them again, in the database`
const PARTS: Readonly<Record<CauseForms['event_name_compared_partly']['part'], string>> = {
  end: 'the end',
  beginning: 'the beginning',
  inside: 'a part',
}
const CHARACTERS: Readonly<Record<CauseForms['character_lost']['character'], string>> = {
  'four-bytes': 'a character of four bytes in UTF-8, such as an emoji',
  nul: 'the character U+0000',
  surrogate: 'a lone surrogate',
  'nul-or-surrogate': 'U+0000 or a lone surrogate',
  'beyond-ascii': 'a character outside ASCII',
}

/** Payments are fulfilled, credited or reversed wrongly, or more than once (SPEC.md 7 and 9). */
export const EFFECTS_WORDS = {
  acts_before_verifying: () => ({
    sentence: 'Refused deliveries have effects: the event is handled before its signature is verified.',
    fix: 'Verify before you do anything with the body.',
  }),
  amount_in_minor_units: () => ({
    sentence: 'Amounts are shown in minor units, such as cents.',
    fix: 'Show the decimal string from the event: "25.00", not "2500".',
  }),
  amount_limited: (data) => ({
    sentence:
      data === undefined
        ? 'Large amounts overflow, or are credited as the largest value of their type.'
        : 'most' in data
          ? `Amounts above ${data.most} are credited as ${data.most}: their type holds no more.`
          : 'Large amounts overflow: they are kept as hundredths in a 32-bit number.',
    fix: 'Keep amounts as decimal strings or in a decimal type that is large enough.',
  }),
  amount_requested_credited: () => ({
    sentence: 'A short payment is credited with amount_requested instead of amount.',
    fix: OWN_AMOUNT,
  }),
  amount_rounded: () => ({
    sentence: 'Amounts lose digits because they are converted to floating-point numbers.',
    fix: 'Keep amounts as decimal strings or in a decimal type; never convert them to floating-point numbers.',
  }),
  currency_not_listed: (data) => {
    const such = data === undefined ? '' : `, such as ${data.currencies.join(', ')}`
    return {
      sentence:
        data?.isRefused === true
          ? `Events in some currencies are refused${such}: the receiver knows only a list of currencies.`
          : `Payments in some currencies are acknowledged but not fulfilled${such}: the receiver knows only a list of currencies.`,
      fix: 'Store and credit any currency as the text that the event holds; the service adds currencies, and the money was paid.',
    }
  },
  deduplicated_by_livemode: (_, of) => ({
    sentence: 'A payment with livemode true and the same payment without livemode count as two payments.',
    fix: uniqueKey(of),
  }),
  deduplicated_by_order_number: (data) => {
    const fields = data?.fields ?? []
    const such = fields.length > 1 ? ` (one of ${namesIn(fields)})` : ''
    const by = fields.length === 1 ? `metadata.${fields[0]}` : `a field of the metadata${such}`
    return {
      sentence: `A redelivery is recognized by ${by}: another payment with the same value is lost.`,
      fix: 'Recognize redeliveries by the payment id and the kind of event; a shop may use one order number for several payments.',
    }
  },
  deduplicated_by_timestamp: (_, of) => ({
    sentence: 'A redelivery is recognized by its timestamp, and a later attempt may have a new one.',
    fix: uniqueKey(of),
  }),
  deduplicated_per_process: () => ({
    sentence:
      'A redelivery on another connection is handled again: each process remembers only what it handled itself.',
    fix: 'Remember what was handled under a unique key, in a database that all processes and machines share.',
  }),
  deduplication_forgotten: ({ isAtExpiry = false, isLater = false } = {}, of) =>
    isLater
      ? {
          sentence:
            'Redeliveries are recognized only for a while: after the time of --redeliver-after, they are handled again.',
          fix: `${remembering(of)}: a key must not expire while the service may still deliver again.`,
        }
      : isAtExpiry
        ? {
            sentence:
              'Redeliveries are recognized only until the signature of the first delivery expires, and are then handled again.',
            fix: `${remembering(of)}: a replay cache forgets them after ${of.windowSeconds} s.`,
          }
        : {
            sentence: `Redeliveries are recognized only for a while: after other ${of.items}, or after some time, they are handled again.`,
            fix: `${remembering(of)}, not in a cache that drops the oldest.`,
          },
  expired_credited: () => ({
    sentence: 'An expired payment is credited as if it had been completed.',
    fix: BY_NAME,
  }),
  first_not_recognized: (_, { item, items }) => ({
    sentence: `Only the first ${item} of the run is handled again when it is delivered again: all others are recognized.`,
    fix: `Test whether a ${item} is known with an explicit comparison, such as \`=== undefined\` or \`!= -1\`: the position 0 and the id 0 are false. If the first of the ${items} that follow a restart is handled once, another process than now handled the first one: remember what was handled in a store that all share.`,
  }),
  failed_credited: () => ({
    sentence: 'A failed payment is credited as if it had been completed.',
    fix: BY_NAME,
  }),
  metadata_merged: () => ({
    sentence: 'Metadata overwrites fields of the event, so its author decides what is credited.',
    fix: 'Do not merge the metadata into the event; read each field from the event by its own name.',
  }),
  query_merged: (data) => ({
    sentence:
      data?.isFilling === true
        ? 'What the body lacks is taken from the query, which the signature does not cover.'
        : 'The query is merged over the body: anyone who sends a delivery again decides what is credited, because the signature does not cover the query.',
    fix: 'Read every field from the verified body alone; do not merge the query into it, as parameters of a framework often do ($_REQUEST, params, {...body, ...query}).',
  }),
  no_deduplication: (_, of) => ({
    sentence: 'Redeliveries are not recognized: each one is handled again.',
    fix: uniqueKey(of),
  }),
  claimed_twice: () => ({
    sentence:
      'Payments that were delivered once are fulfilled twice: two workers, or two runs of one, take the same delivery from the store.',
    fix: 'Claim a delivery before you handle it, in one statement (UPDATE ... WHERE claimed_at IS NULL, or SELECT ... FOR UPDATE SKIP LOCKED), and start no run of a timer before the last one has ended.',
  }),
  not_atomic: () => ({
    sentence:
      'Copies that arrive together are handled twice: the check for a duplicate and its record are two steps.',
    fix: 'Make it one step: insert under a unique key, and handle the event only if the insert succeeded.',
  }),
  overlap_not_locked: () => ({
    sentence:
      'A refund that arrives while another event of its payment is handled is lost or overwritten: the check for a refund and the fulfillment are two steps.',
    fix: 'Lock the payment while you change it, and look for a refund in the same transaction that fulfills it; do not overwrite a state that another event has changed in the meantime.',
  }),
  partial_credited: () => ({
    sentence: 'A partial payment is credited as if it had been completed.',
    fix: BY_NAME,
  }),
  payment_ids_merged: () => ({
    sentence: 'Payment ids that differ in case or length count as one payment.',
    fix: "Compare entire payment ids, byte by byte; check the column's collation and length.",
  }),
  refund_forgotten: () => ({
    sentence:
      'A completion that is sent again after its refund is fulfilled once more: the refund deletes the record of the payment.',
    fix: 'Keep the record of a refunded payment: mark it as refunded instead of deleting it, and never fulfill it again.',
  }),
  remembers_refused: (_, { dedupe }) => ({
    sentence: `A refused delivery is recorded as seen, so the valid delivery ${dedupe === undefined ? 'of the same payment' : 'with the same id'} is lost.`,
    fix: 'Verify the signature and the time first, and only then record the delivery.',
  }),
  status_decides: () => ({
    sentence: 'An event is fulfilled because of its status, regardless of its name.',
    fix: BY_NAME,
  }),
} satisfies Partial<Words>

export const EFFECTS_FORMS = {
  character_lost: ({ character }) => ({
    sentence: `A payment is acknowledged and lost if its event contains ${CHARACTERS[character]}.`,
    fix: 'Store the raw bytes of the body in a binary column, or in one that holds all of Unicode (utf8mb4 in MySQL); answer 200 only when they are stored.',
  }),
  currency_rewritten: ({ to }) =>
    to === 'lowercase'
      ? {
          sentence: 'Currencies are shown in lowercase.',
          fix: 'Store and show the currency exactly as it is in the event.',
        }
      : {
          sentence: 'Currencies are cut to three letters: USDT becomes USD.',
          fix: 'Store the currency exactly as it is in the event, in a column without a fixed length.',
        },
  deduplicated_by_body: ({ by }, of) => ({
    sentence:
      by === 'bytes'
        ? 'A redelivery is recognized by the bytes of its body, which differ from attempt to attempt.'
        : 'A redelivery is recognized by all fields of its body, and a later attempt may have others, or another order.',
    fix: uniqueKey(of),
  }),
  deduplicated_by_payment_alone: ({ by }, of) => ({
    sentence:
      by === 'id'
        ? 'A redelivery is recognized by its payment id alone, so every later event of a payment, such as its refund, is lost.'
        : 'A payment that was fulfilled counts as handled, so its refund is taken for a redelivery and lost.',
    fix: uniqueKey(of),
  }),
  deduplicated_by_signature: ({ by }, of) => ({
    sentence: `A redelivery is recognized by its ${by === 't' ? of.time : by}, and every attempt has a new one.`,
    fix: uniqueKey(of),
  }),
  early_refund_forgotten: ({ isRecorded }) => ({
    sentence: isRecorded
      ? 'A completion is fulfilled although its refund arrived first.'
      : 'A refund that arrives before its completion is forgotten, and the completion is fulfilled.',
    fix: SHIPPED_AFTER_REFUND.fix,
  }),
  event_name_compared_partly: ({ part }) => ({
    sentence: `An event is mistaken for another one because of ${PARTS[part]} of its name.`,
    fix: 'Compare the entire event name exactly, not its beginning, its end or a part of it.',
  }),
  late_event_overwrites: ({ event, isReversed }) => ({
    sentence: `A payment.${event} that arrives after the completion ${
      isReversed
        ? 'reverses the fulfillment'
        : 'overwrites its state, so the refund that follows reverses nothing'
    }.`,
    fix: IN_ANY_ORDER,
  }),
  older_events_skipped: ({ isSameTimeSkipped }) => ({
    sentence: `An event is skipped when its timestamp is ${isSameTimeSkipped ? 'not later' : 'earlier'} than that of another event of its payment.`,
    fix: 'Handle each event by its name, once, in any order of arrival; do not compare timestamps. Several events may have the same one.',
  }),
  payment_closed: ({ event }) => ({
    sentence: `A payment that had a payment.${event} is treated as closed: the completion that follows is acknowledged but not fulfilled.`,
    fix: 'Fulfill every payment.completed unless the payment was refunded, no matter which events came before: a customer may pay after a failed or partial attempt.',
  }),
  refunds_ignored: ({ type, event }) =>
    event === undefined
      ? {
          sentence:
            type === undefined
              ? 'Refunds and chargebacks reverse nothing.'
              : `A payment.refunded of the type ${type} reverses nothing.`,
          fix: 'On payment.refunded, reverse what the payment fulfilled, once, for both types.',
        }
      : {
          sentence: `The refund of a payment that had a payment.${event} reverses nothing.`,
          fix: IN_ANY_ORDER,
        },
  settled_via_credited: ({ isWithCurrency }) => ({
    sentence: `A mixed checkout is credited with the ${isWithCurrency ? 'amount and currency' : 'amount'} of settled_via.`,
    fix: OWN_AMOUNT,
  }),
} satisfies Partial<Forms>
