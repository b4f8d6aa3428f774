import type { Recognize } from '../cause.ts'
import type { Evidence } from '../evidence.ts'
import { type Event, eventIn, idOf, nameOf } from '../handling.ts'

interface Payment {
  readonly id: string
  readonly verdict: Evidence['verdicts'][number]
  readonly metadata: Event
  readonly amount: unknown
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
  const fields = new Set(lost.flatMap(({ metadata }) => Object.keys(metadata)))
  return [...fields].flatMap((field) => {
    const groups = new Map<unknown, Payment[]>()
    for (const payment of payments) {
      const value = payment.metadata[field]
      if (typeof value === 'string') groups.set(value, [...(groups.get(value) ?? []), payment])
    }
    const isAlone = ({ metadata }: Payment) => (groups.get(metadata[field])?.length ?? 0) < 2
    const isTwice = [...groups.values()].some(
      (group) => group.filter(({ isFulfilled }) => isFulfilled === true).length > 1,
    )
    if (isTwice || lost.some(isAlone)) return []
    // Payments that have everything in common show nothing about one field.
    const differing = lost.filter(({ metadata, amount }) =>
      groups.get(metadata[field])?.some((other) => other.amount !== amount),
    )
    if (differing.length < FEWEST_LOSSES) return []
    return [
      {
        code: 'deduplicated_by_order_number',
        sentence: `A redelivery is recognized by metadata.${field}: another payment with the same value is lost.`,
        fix: 'Recognize redeliveries by the payment id and the kind of event; a shop may use one order number for several payments.',
        explains: new Set(lost.map(({ verdict }) => verdict).filter(({ outcome }) => outcome !== 'passed')),
      },
    ]
  })
}

/** The acknowledged completions of a case. */
function paymentsOf(verdict: Evidence['verdicts'][number]): Payment[] {
  return verdict.exchanges.flatMap(({ delivery, answer }) => {
    const event = eventIn(delivery)
    if (event === undefined || answer?.status !== 200 || nameOf(event) !== 'payment.completed') return []
    const id = idOf(event)
    const effects = verdict.effects?.get(id)
    const isRefunded = verdict.exchanges.some(
      ({ delivery: other }) => other.paymentId === id && other.event === 'payment.refunded',
    )
    // Nothing of a payment that was refunded first is fulfilled.
    const isKnown = effects !== undefined && !isRefunded
    const metadata = Object(event['metadata']) as Event
    return [
      {
        id,
        verdict,
        metadata,
        amount: event['amount'],
        isFulfilled: isKnown ? effects.length > 0 : undefined,
      },
    ]
  })
}
