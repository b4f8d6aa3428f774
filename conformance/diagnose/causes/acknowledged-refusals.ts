import type { Recognize } from '../cause.ts'
import { isOpen } from '../evidence.ts'

/**
 * Refusals with a status of 2xx: the responses look as if nothing were verified, but what should be refused has no effect,
 * while a payment that was sent after it has one.
 */
export const acknowledgedRefusals: Recognize = ({ trials, verdicts }) => {
  const acknowledged = trials.filter(
    ({ shouldAccept, accepted }) => shouldAccept === false && accepted === true,
  )
  const observed = acknowledged.flatMap(({ verdict, delivery }) => {
    const { effects, exchanges } = verdict
    const control = exchanges.findLast((exchange) => exchange.delivery.role === 'control')?.delivery.paymentId
    if (effects === undefined || control === undefined || delivery.paymentId === undefined) return []
    // A valid delivery of the same payment has an effect.
    const isPaid = exchanges.some(
      ({ delivery: other }) => other.paymentId === delivery.paymentId && other.change === undefined,
    )
    if (isPaid) return []
    const hasWorked = (effects.get(control) ?? []).length > 0
    return hasWorked ? [(effects.get(delivery.paymentId) ?? []).length] : []
  })
  if (observed.length === 0 || observed.some((count) => count > 0)) return []
  // Of stale deliveries alone there is a cause of its own.
  if (!acknowledged.some(({ correct }) => correct === 'forged')) return []
  if (verdicts.some(({ problems }) => problems.some(({ observed: what }) => what === 'fulfilled-not-due')))
    return []
  const statuses = [...new Set(acknowledged.flatMap(({ status }) => status ?? []))].toSorted((a, b) => a - b)
  return [
    {
      code: 'refusals_acknowledged',
      sentence: `Refusals are answered with status ${statuses.join(' or ')}: what should be refused has no effect, but is acknowledged.`,
      fix: 'Set the status of the response when you refuse a delivery: 400 when the signature header, t or v1 is missing or malformed and when t is stale, and 401 when the signature is wrong.',
      explains: new Set(acknowledged.map(({ verdict }) => verdict).filter(isOpen)),
    },
  ]
}
