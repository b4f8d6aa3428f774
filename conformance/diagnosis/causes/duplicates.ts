import { createHash } from 'node:crypto'
import type { CaseId } from '../../contracts/payment-service/cases/index.ts'
import type { Candidate, Recognize } from '../cause.ts'
import { type Evidence, fulfilledTwice, isOpen } from '../evidence.ts'
import { type Event, idOf, keyOf, nameOf } from '../handling.ts'
import { handling, testHandling } from '../mishandling.ts'
import type { Statement } from '../statement.ts'

const FIX =
  'Insert the payment id, the event, and for payment.partial its amount_received under a unique key, and handle the event only when the insert succeeded. A payment is reversed once: a refund and a chargeback share one key.'
const deduplicated = (code: Statement['code'], sentence: string): Statement => ({ code, sentence, fix: FIX })

/** Refused deliveries count as seen. */
export const REMEMBERS_REFUSED: Statement = {
  code: 'remembers_refused',
  sentence: 'A refused delivery is recorded as seen, so the valid delivery of the same payment is lost.',
  fix: 'Verify the signature and the time first, and only then record the delivery.',
}

let serial = 0
const unique = () => String((serial += 1))

export const DUPLICATE_HYPOTHESES = [
  handling(deduplicated('no_deduplication', 'Redeliveries are not recognized: each one is handled again.'), {
    keyOf: unique,
  }),
  handling(
    deduplicated(
      'deduplicated_by_signature',
      'A redelivery is recognized by its signature, and every attempt has a new one.',
    ),
    { keyOf: (_, { delivery }) => delivery.signature.join() },
  ),
  handling(
    deduplicated(
      'deduplicated_by_signature',
      'A redelivery is recognized by its t, and every attempt has a new one.',
    ),
    {
      keyOf: (event, exchange) => `${keyOf(event)} ${exchange.delivery.signed.t}`,
    },
  ),
  handling(
    deduplicated(
      'deduplicated_by_body',
      'A redelivery is recognized by the bytes of its body, which differ from attempt to attempt.',
    ),
    { keyOf: (_, { delivery }) => createHash('sha256').update(delivery.body).digest('hex') },
  ),
  ...[
    (event: Event) => JSON.stringify({ ...event, timestamp: undefined }),
    (event: Event) =>
      JSON.stringify(Object.entries({ ...event, timestamp: '' }).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  ].map((keyOf) =>
    handling(
      deduplicated(
        'deduplicated_by_body',
        'A redelivery is recognized by all fields of its body, and a later attempt may have others, or another order.',
      ),
      { keyOf },
    ),
  ),
  handling(
    deduplicated(
      'deduplicated_by_livemode',
      'A payment with livemode true and the same payment without livemode count as two payments.',
    ),
    { keyOf: (event) => `${keyOf(event)} ${String(event['livemode'])}` },
  ),
  handling(
    deduplicated(
      'deduplicated_by_timestamp',
      'A redelivery is recognized by its timestamp, and a later attempt may have a new one.',
    ),
    {
      keyOf: (event) => `${keyOf(event)} ${String(event['timestamp'])}`,
    },
  ),
  handling(
    deduplicated(
      'deduplicated_by_payment_alone',
      'A redelivery is recognized by its payment id alone, so every later event of a payment, such as its refund, is lost.',
    ),
    { keyOf: idOf },
  ),
  handling(
    deduplicated(
      'deduplicated_by_payment_alone',
      'A payment that was fulfilled counts as handled, so its refund is taken for a redelivery and lost.',
    ),
    {
      effectOf: (event, before, otherwise) => (before.length > 0 ? undefined : otherwise(event, before)),
    },
  ),
  {
    ...handling(REMEMBERS_REFUSED, { records: () => true }),
    parsesFirst: true,
  },
  handling(
    {
      code: 'payment_ids_merged',
      sentence: 'Payment ids that differ in case or length count as one payment.',
      fix: "Compare entire payment ids, byte by byte; check the column's collation and length.",
    },
    { keyOf: (event) => `${idOf(event).toLowerCase().slice(0, 23)} ${nameOf(event)}` },
  ),
] as const

/** Its sender hangs up and delivers again while the receiver may still work. */
const OVERLAPPING: CaseId = 'acknowledgement/sender-gone-before-the-response'

/** Copies that arrive together are handled twice, and copies that arrive in turn once. */
function notAtomic({ verdicts }: Evidence): Candidate[] {
  const doubled = verdicts.filter((verdict) => isOpen(verdict) && fulfilledTwice(verdict))
  const together = doubled.filter(({ case: { id } }) => id.includes('-at-once') || id === OVERLAPPING)
  if (together.length === 0 || together.length < doubled.length) return []
  return [
    {
      code: 'not_atomic',
      sentence:
        'Copies that arrive together are handled twice: the check for a duplicate and its record are two steps.',
      fix: 'Make it one step: insert under a unique key, and handle the event only if the insert succeeded.',
      explains: new Set(together),
    },
  ]
}

/** Cases in which a refund arrives while the receiver works on another event of its payment. */
const REFUND_MEANWHILE: readonly CaseId[] = [
  'effects/refund-while-the-completion-is-handled',
  'effects/refund-and-completion-at-once',
  'effects/refund-and-resent-completion-at-once',
]

/** A refund is lost only when the receiver works on another event of its payment. */
function notLocked({ verdicts }: Evidence): Candidate[] {
  const isRefund = ({ problems }: Evidence['verdicts'][number]) =>
    problems.some(({ observed }) => observed === 'fulfilled-after-refund' || observed === 'not-reversed')
  const wrong = verdicts.filter((verdict) => isOpen(verdict) && isRefund(verdict))
  const isMeanwhile = ({ case: { id } }: Evidence['verdicts'][number]) =>
    REFUND_MEANWHILE.some((one) => one === id)
  // In turn, refunds must be seen to work.
  const worksInTurn = verdicts.some(
    ({ outcome, case: { id } }) => outcome === 'passed' && IN_TURN.some((one) => one === id),
  )
  if (wrong.length === 0 || !wrong.every(isMeanwhile) || !worksInTurn) return []
  return [
    {
      code: 'overlap_not_locked',
      sentence:
        'A refund that arrives while another event of its payment is handled is lost or overwritten: the check for a refund and the fulfillment are two steps.',
      fix: 'Lock the payment while you change it, and look for a refund in the same transaction that fulfills it; do not overwrite a state that another event has changed in the meantime.',
      explains: new Set(wrong),
    },
  ]
}
const IN_TURN: readonly CaseId[] = ['effects/refund-before-completion', 'effects/refund-reverses']

/** Its first delivery is as old as the window allows, and its redelivery comes when it is older. */
const EXPIRED: CaseId = 'duplicates/after-its-signature-expired'

/** Only what is delivered again after the signature of the first delivery has expired is handled twice. */
function untilExpiry({ verdicts }: Evidence): Candidate[] {
  const doubled = verdicts.filter((verdict) => isOpen(verdict) && fulfilledTwice(verdict))
  if (doubled.length === 0 || doubled.some(({ case: { id } }) => id !== EXPIRED)) return []
  return [
    {
      code: 'deduplication_forgotten',
      sentence:
        'Redeliveries are recognized only until the signature of the first delivery expires, and are then handled again.',
      fix: 'Remember payments permanently, in the database: a replay cache forgets them after 300 s.',
      explains: new Set(doubled),
    },
  ]
}

/** Redeliveries are recognized wrongly or not at all (SPEC.md 7). */
export const duplicateCauses: Recognize = (evidence) => [
  ...DUPLICATE_HYPOTHESES.flatMap((hypothesis) => testHandling(hypothesis, evidence) ?? []),
  ...notAtomic(evidence),
  ...notLocked(evidence),
  ...untilExpiry(evidence),
]
