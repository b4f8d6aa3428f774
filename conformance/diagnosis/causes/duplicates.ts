import { createHash } from 'node:crypto'
import type { Role, Verdict } from '../../contracts/webhook/model.ts'
import type { Candidate, Recognize } from '../cause.ts'
import {
  acknowledged,
  type Completion,
  completionsOf,
  type Event,
  eventIn,
  type Handling,
  idOf,
  isNamed,
  KNOWN_EVENTS,
  keyOf,
  nameOf,
} from '../handling.ts'
import { type HandlingHypothesis, handling, testHandling } from '../mishandling.ts'
import type { Said } from '../statement.ts'
import { fulfilledTwice, isOpen, type Symptoms } from '../symptoms.ts'

/** Refused deliveries count as seen. */
const REMEMBERS_REFUSED: Said = { code: 'remembers_refused' }

/** Other events are acknowledged before they reach the store of the receiver. */
const recordsOnly =
  (...names: string[]): Handling['records'] =>
  (exchange) => {
    const event = eventIn(exchange.delivery)
    return acknowledged(exchange) && event !== undefined && isNamed(event, ...names)
  }

let serial = 0
const unique = () => String((serial += 1))

export const DUPLICATE_HYPOTHESES: readonly HandlingHypothesis[] = [
  handling({ code: 'no_deduplication' }, { keyOf: unique }),
  handling(
    { code: 'deduplicated_by_signature', data: { by: 'signature' } },
    { keyOf: (_, { delivery }) => delivery.signature.join() },
  ),
  handling(
    { code: 'deduplicated_by_signature', data: { by: 't' } },
    { keyOf: (event, exchange) => `${keyOf(event)} ${exchange.delivery.signed.t}` },
  ),
  handling(
    { code: 'deduplicated_by_body', data: { by: 'bytes' } },
    { keyOf: (_, { delivery }) => createHash('sha256').update(delivery.body).digest('hex') },
  ),
  ...[
    (event: Event) => JSON.stringify({ ...event, timestamp: undefined }),
    (event: Event) =>
      JSON.stringify(Object.entries({ ...event, timestamp: '' }).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  ].map((keyOf) => handling({ code: 'deduplicated_by_body', data: { by: 'fields' } }, { keyOf })),
  handling(
    { code: 'deduplicated_by_livemode' },
    { keyOf: (event) => `${keyOf(event)} ${String(event['livemode'])}` },
  ),
  handling(
    { code: 'deduplicated_by_timestamp' },
    { keyOf: (event) => `${keyOf(event)} ${String(event['timestamp'])}` },
  ),
  handling({ code: 'deduplicated_by_payment_alone', data: { by: 'id' } }, { keyOf: idOf }),
  ...[KNOWN_EVENTS, ['completed', 'refunded']].map((names) =>
    handling(
      { code: 'deduplicated_by_payment_alone', data: { by: 'id' } },
      { keyOf: idOf, records: recordsOnly(...names) },
    ),
  ),
  handling(
    { code: 'deduplicated_by_payment_alone', data: { by: 'fulfillment' } },
    { effectOf: (event, before, otherwise) => (before.length > 0 ? undefined : otherwise(event, before)) },
  ),
  {
    ...handling(REMEMBERS_REFUSED, { records: () => true }),
    parsesFirst: true,
  },
  ...[
    (id: string) => id.toLowerCase().slice(0, 23),
    ...[20, 22, 23, 24, 32, 36].map((kept) => (id: string) => id.slice(0, kept)),
  ].map((keptOf) =>
    handling({ code: 'payment_ids_merged' }, { keyOf: (event) => `${keptOf(idOf(event))} ${nameOf(event)}` }),
  ),
]

/** Deliveries of one payment arrive while another one of it is handled. */
const OVERLAPPING: readonly Role[] = ['copies-together', 'copies-overlapping', 'refund-meanwhile']
const hasRole = ({ case: { role } }: Verdict, ...roles: readonly Role[]): boolean =>
  role !== undefined && roles.includes(role)

/** Copies that arrive together are handled twice, and copies that arrive in turn once. */
function notAtomic({ verdicts }: Symptoms): Candidate[] {
  const doubled = verdicts.filter((verdict) => isOpen(verdict) && fulfilledTwice(verdict))
  const together = doubled.filter((verdict) => hasRole(verdict, ...OVERLAPPING))
  if (together.length === 0 || together.length < doubled.length) return []
  return [
    {
      code: 'not_atomic',
      explains: new Set(together),
    },
  ]
}

/** A refund is lost only when the receiver works on another event of its payment. */
function notLocked({ verdicts }: Symptoms): Candidate[] {
  const isRefund = ({ problems }: Verdict) =>
    problems.some(({ observed }) => observed === 'fulfilled-after-refund' || observed === 'not-reversed')
  const wrong = verdicts.filter((verdict) => isOpen(verdict) && isRefund(verdict))
  const isMeanwhile = (verdict: Verdict) => hasRole(verdict, 'refund-meanwhile')
  // In turn, refunds must be seen to work.
  const worksInTurn = verdicts.some(
    (verdict) => verdict.outcome === 'passed' && hasRole(verdict, 'refund-in-turn'),
  )
  if (wrong.length === 0 || !wrong.every(isMeanwhile) || !worksInTurn) return []
  return [
    {
      code: 'overlap_not_locked',
      explains: new Set(wrong),
    },
  ]
}

/** Only what is delivered again after the signature of the first delivery has expired, or after a given time, is handled twice. */
function forgottenLater({ verdicts }: Symptoms): Candidate[] {
  const doubled = verdicts.filter((verdict) => isOpen(verdict) && fulfilledTwice(verdict))
  const areAll = (...roles: readonly Role[]) => doubled.every((verdict) => hasRole(verdict, ...roles))
  if (doubled.length === 0 || !areAll('copies-after-expiry', 'copies-after-given-time')) return []
  return [
    {
      code: 'deduplication_forgotten',
      data: areAll('copies-after-given-time') ? { isLater: true } : { isAtExpiry: true },
      explains: new Set(doubled),
    },
  ]
}

/** Only the first payment of the run is handled again. */
function firstOnly({ verdicts }: Symptoms): Candidate[] {
  const doubled = verdicts.filter((verdict) => isOpen(verdict) && fulfilledTwice(verdict))
  if (doubled.length === 0 || !doubled.every((verdict) => hasRole(verdict, 'copy-of-the-first'))) return []
  return [{ code: 'first_not_recognized', explains: new Set(doubled) }]
}

/** Redeliveries are recognized wrongly or not at all (SPEC.md 7). */
export const duplicateCauses: Recognize = (symptoms) => [
  ...testHandling(DUPLICATE_HYPOTHESES, symptoms),
  ...notAtomic(symptoms),
  ...notLocked(symptoms),
  ...forgottenLater(symptoms),
  ...firstOnly(symptoms),
]

/** So many refused payments make it no coincidence. */
const ENOUGH = 3

/** A payment is refused permanently once a delivery of it was refused, while other payments are accepted. */
export const blockedPayments: Recognize = ({ verdicts }) => {
  const explains = new Set<Verdict>()
  let disproven = 0
  const others = { accepted: 0, refused: 0 }
  for (const verdict of verdicts) {
    const [refused, known] = [new Set<string>(), new Set<string>()]
    for (const { delivery, answer, unanswered } of verdict.exchanges) {
      const id = delivery.key
      if (id === undefined || unanswered === true || answer === undefined) continue
      const isValid = delivery.change === undefined && delivery.role !== 'context'
      if (isValid && refused.has(id)) {
        if (answer.status >= 200 && answer.status < 300) disproven += 1
        else if (answer.status < 500 && isOpen(verdict)) explains.add(verdict)
        // A redelivery may be refused because its first delivery was accepted.
      } else if (isValid && !known.has(id)) others[answer.status >= 400 ? 'refused' : 'accepted'] += 1
      if (isValid && answer.status < 300) known.add(id)
      if (answer.status === 400 || answer.status === 401) refused.add(id)
    }
  }
  const isRare = explains.size < ENOUGH || disproven >= explains.size
  return isRare || others.refused * 10 > others.accepted
    ? []
    : [{ ...REMEMBERS_REFUSED, explains, precedes: true }]
}

interface Payment extends Completion {
  readonly metadata: Event
  /** Undefined when its effects were not observed. */
  readonly isFulfilled: boolean | undefined
}

/** So few losses could have an order number in common with another payment by chance. */
const FEWEST_LOSSES = 2

/**
 * Payments are lost that share a field of their metadata with another one of the run, such as the merchant's order
 * number, and of no two that share it both are fulfilled.
 */
export const orderNumberCauses: Recognize = ({ verdicts }) => {
  const payments = [...new Map(verdicts.flatMap(paymentsOf).map((payment) => [payment.id, payment])).values()]
  const lost = payments.filter(({ isFulfilled }) => isFulfilled === false)
  /** Whether the losses are explained by payments that share this field. */
  const isKey = (field: string): boolean => {
    const groups = new Map<unknown, Payment[]>()
    for (const payment of payments) {
      const value = payment.metadata[field]
      if (typeof value === 'string') groups.set(value, [...(groups.get(value) ?? []), payment])
    }
    const isAlone = ({ metadata }: Payment) => (groups.get(metadata[field])?.length ?? 0) < 2
    const isTwice = [...groups.values()].some(
      (group) => group.filter(({ isFulfilled }) => isFulfilled === true).length > 1,
    )
    if (isTwice || lost.some(isAlone)) return false
    // Payments that have everything in common show nothing about one field.
    const differing = lost.filter(({ metadata, event: { amount } }) =>
      groups.get(metadata[field])?.some(({ event }) => event['amount'] !== amount),
    )
    return differing.length >= FEWEST_LOSSES
  }
  const fields = [...new Set(lost.flatMap(({ metadata }) => Object.keys(metadata)))].filter(isKey)
  if (fields.length === 0) return []
  return [
    {
      code: 'deduplicated_by_order_number',
      data: { fields },
      explains: new Set(lost.map(({ verdict }) => verdict).filter(({ outcome }) => outcome !== 'passed')),
    },
  ]
}

/** The payments that a case completed. */
function paymentsOf(verdict: Verdict): Payment[] {
  return completionsOf(verdict).map((completion) => {
    const { id, event, effects } = completion
    const isRefunded = verdict.exchanges.some(
      ({ delivery: other }) => other.key === id && other.event === 'payment.refunded',
    )
    // Nothing of a payment that was refunded first is fulfilled.
    const isKnown = effects !== undefined && !isRefunded
    return {
      ...completion,
      metadata: Object(event['metadata']) as Event,
      isFulfilled: isKnown ? effects.length > 0 : undefined,
    }
  })
}
